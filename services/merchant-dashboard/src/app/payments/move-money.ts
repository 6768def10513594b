import type { cancelGroup as cancelling, Mode, RefundAnswer, ResponseOf } from '@gp/contracts';
import { insertAudit } from '../../db/audit.ts';
import { called } from '../../fail-points.ts';
import { deriveIdentity } from './command.ts';
import type { Actor, DashboardParts } from '../ports.ts';

/** A user's action on a group. The same `key` again is the same action, even when the first response was lost. */
export type MoneyAct = { readonly mode: Mode; readonly groupId: string; readonly key: string | undefined };

const LONGEST_ACTOR = 120;

/**
 * Refunds a group, or the payments that cover some of its slots. The audit log records the action first, so an
 * action whose response was lost is there. Rejects like the API's refund; the result lists what gateways refused.
 */
export function refundGroup(
  parts: DashboardParts,
): (actor: Actor, act: MoneyAct, slotIds: string[] | null) => Promise<RefundAnswer> {
  return async (actor, { mode, groupId, key }, slotIds) => {
    const { merchantId } = actor;
    const chosen = slotIds && { slot_ids: slotIds };
    const identity = deriveIdentity({ merchantId, mode }, key, ['refund', groupId, slotIds]);
    const group = { merchant_id: merchantId, mode, group_id: groupId, ...chosen };
    const by = { source: 'dashboard', actor: formatActor(actor) } as const;
    const details = { mode, group_payment_id: groupId, ...chosen };
    await insertAudit(parts.db, actor, 'group_payment.refund_requested', details);
    return called('refund', () => parts.services.requestRefund({ ...identity, ...group, ...by }));
  };
}

/** Cancels a group of which no payer has been charged (Q2); its holds are released. */
export function cancelGroup(
  parts: DashboardParts,
): (actor: Actor, act: MoneyAct) => Promise<ResponseOf<typeof cancelling>> {
  return async (actor, { mode, groupId, key }) => {
    const { merchantId } = actor;
    const identity = deriveIdentity({ merchantId, mode }, key, ['cancel', groupId]);
    const request = { ...identity, merchant_id: merchantId, mode, group_id: groupId };
    await insertAudit(parts.db, actor, 'group_payment.cancel_requested', { mode, group_payment_id: groupId });
    return called('cancel', () => parts.services.cancelGroup({ ...request, actor: formatActor(actor) }));
  };
}

/** Returns an actor as other services record it. */
export const formatActor = ({ name }: Actor): string => `dashboard:${name}`.slice(0, LONGEST_ACTOR);
