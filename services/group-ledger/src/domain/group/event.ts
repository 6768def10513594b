import type { GroupEvent, GroupEventData, IntentEventData } from '../domain-event.ts';
import type { GroupState } from './group.machine.ts';
import { findIntent, type Group } from './group.ts';

/** The event that entering a state announces. */
const stateEvents = {
  partially_paid: 'group_payment.partially_paid',
  paid: 'group_payment.paid',
  partially_refunded: 'group_payment.partially_refunded',
  refunded: 'group_payment.refunded',
  expired: 'group_payment.expired',
  cancelled: 'group_payment.cancelled',
  capture_failed: 'group_payment.capture_failed',
  refund_failed: 'group_payment.refund_failed',
} as const satisfies Partial<Record<GroupState, GroupEvent['type']>>;

/** Returns the event of a group that enters this state, undefined where none is sent. */
export function findStateEvent(state: GroupState): GroupEvent['type'] | undefined {
  return Object.hasOwn(stateEvents, state) ? stateEvents[state as keyof typeof stateEvents] : undefined;
}

/** Data of an event about an intent: nothing of its payer. */
export function intentEventData(group: Group, intentId: string, nowMs: number): IntentEventData {
  const intent = findIntent(group, intentId);
  if (!intent) throw new Error(`intent ${intentId} is not part of the group`);
  const { state, pspCode, amountMinor, tipMinor, slotIds } = intent;
  const { currency, sequence } = group;
  return {
    paymentIntentId: intentId,
    groupPaymentId: group.id,
    state,
    pspCode,
    amountMinor,
    tipMinor,
    currency,
    slotIds,
    isTestMode: group.mode === 'test',
    sequence,
    occurredAtMs: nowMs,
  };
}

/** Data of an event about the group itself. */
export function groupEventData({ id, state, mode, sequence, intents }: Group): GroupEventData {
  let amountCapturedMinor = 0n;
  let amountRefundedMinor = 0n;
  for (const intent of intents) {
    amountCapturedMinor += intent.amountCapturedMinor;
    amountRefundedMinor += intent.amountRefundedMinor;
  }
  const isTestMode = mode === 'test';
  return { groupPaymentId: id, state, sequence, isTestMode, amountCapturedMinor, amountRefundedMinor };
}
