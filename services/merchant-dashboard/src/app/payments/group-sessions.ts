import type { Mode, ResponseOf, rollCheckoutLink as rolling } from '@gp/contracts';
import { insertAudit } from '../../db/audit.ts';
import { called } from '../../fail-points.ts';
import type { Actor, DashboardParts } from '../ports.ts';
import { deriveIdentity } from './command.ts';
import { formatActor, type MoneyAct } from './move-money.ts';

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

/**
 * Replaces the checkout link of a group payment: the old address and every session token end. The audit log records
 * the action first. Rejects with `not_found`.
 */
export function rollCheckoutLink(
  parts: DashboardParts,
): (actor: Actor, act: MoneyAct) => Promise<ResponseOf<typeof rolling>> {
  return async (actor, { mode, groupId, key }) => {
    const { merchantId } = actor;
    const identity = deriveIdentity({ merchantId, mode }, key, ['roll-checkout-link', groupId]);
    const group = { merchant_id: merchantId, mode, group_id: groupId };
    const details = { mode, group_payment_id: groupId };
    await insertAudit(parts.db, actor, 'checkout_link.roll_requested', details);
    return called('link-roll', () =>
      parts.services.rollCheckoutLink({ ...identity, ...group, actor: formatActor(actor) }),
    );
  };
}
