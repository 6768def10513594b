import type * as contracts from '@gp/contracts';
import type { Mode, RequestOf, ResponseOf } from '@gp/contracts';
import { insertAudit } from '../../db/audit.ts';
import { called } from '../../fail-points.ts';
import type { Actor, DashboardParts } from '../ports.ts';
import { deriveIdentity } from './command.ts';
import { formatActor, type MoneyAct } from './move-money.ts';

type RollPage = typeof contracts.rollCheckoutLink;
type RollOrganiser = typeof contracts.rollOrganiserToken;
type Roll<C> = (actor: Actor, act: MoneyAct) => Promise<ResponseOf<C>>;

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
export function rollCheckoutLink(parts: DashboardParts): Roll<RollPage> {
  return replaceLink(parts, 'checkout', (request) => parts.services.rollCheckoutLink(request));
}

/**
 * Replaces the link of a group payment's organiser: the old page and its actions end, the rights stay. The audit log
 * records the action first. Rejects with `not_found`, also for a group without an organiser.
 */
export function rollOrganiserLink(parts: DashboardParts): Roll<RollOrganiser> {
  return replaceLink(parts, 'organiser', (request) => parts.services.rollOrganiserToken(request));
}

/** The same key again is the same replacement, of this link alone. */
function replaceLink<Rolled>(
  { db }: DashboardParts,
  link: 'checkout' | 'organiser',
  send: (request: RequestOf<RollPage> & RequestOf<RollOrganiser>) => Promise<Rolled>,
): (actor: Actor, act: MoneyAct) => Promise<Rolled> {
  return async (actor, { mode, groupId, key }) => {
    const { merchantId } = actor;
    const identity = deriveIdentity({ merchantId, mode }, key, [`roll-${link}-link`, groupId]);
    const group = { merchant_id: merchantId, mode, group_id: groupId };
    const details = { mode, group_payment_id: groupId };
    await insertAudit(db, actor, `${link}_link.roll_requested`, details);
    return called('link-roll', () => send({ ...identity, ...group, actor: formatActor(actor) }));
  };
}
