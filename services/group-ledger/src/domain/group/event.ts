import type { GroupEventData, IntentEventData } from '../domain-event.ts';
import { findIntent, type Group } from './group.ts';

/** Data of an event about an intent: nothing of its payer. */
export function intentEventData(group: Group, intentId: string, nowMs: number): IntentEventData {
  const intent = findIntent(group, intentId);
  if (!intent) throw new Error(`intent ${intentId} is not part of the group`);
  const { state, pspCode, amountMinor, slotIds } = intent;
  const { currency, sequence } = group;
  return {
    paymentIntentId: intentId,
    groupPaymentId: group.id,
    state,
    pspCode,
    amountMinor,
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
