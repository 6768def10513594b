import type { Mode } from '@gp/contracts';
import { insertAudit } from '../../db/audit.ts';
import { called } from '../../fail-points.ts';
import type { Actor, DashboardParts } from '../ports.ts';

/**
 * Ends every session token of a group payment: checkout begins its next epoch, and the edge refuses the tokens
 * within a second. The audit log records the action first. Rejects with `not_found` for a group of another
 * merchant or mode. Repeating it has no further effect.
 */
export function revokeGroupSessions(
  parts: DashboardParts,
): (actor: Actor, o: { mode: Mode; groupId: string }) => Promise<{ epoch: number }> {
  return async (actor, { mode, groupId }) => {
    const group = { merchant_id: actor.merchantId, mode, group_id: groupId };
    await insertAudit(parts.db, actor, 'sessions.revoke_requested', { mode, group_payment_id: groupId });
    return called('sessions', () => parts.services.revokeSessions(group));
  };
}
