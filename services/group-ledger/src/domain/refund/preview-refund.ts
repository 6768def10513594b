import type { Failure } from '@gp/contracts';
import { describeSlots, type Refusal } from '../decision.ts';
import { isRefundable } from '../gateway-facts.ts';
import { findSlot, type Group, type Slot } from '../group/group.ts';
import { refuseRefund } from '../group/refuse-state.ts';
import { findNamingFault } from '../slot/named-slots.ts';
import { isIntentIn, type Intent, type IntentIn } from '../intent/intent.ts';

/** A payment that a refund hits, and why it would not be sent, if that is known beforehand. */
export type PreviewedRefund = {
  readonly intent: IntentIn<'captured'>;
  readonly amountMinor: bigint;
  /** Slots that were not selected and are refunded too, because one payment covers them (E4). */
  readonly otherSlotIds: readonly string[];
  /** The reason why the gateway gets no order; undefined where it will get one. */
  readonly failure: Failure | undefined;
};

/** Whether any captured payment of the group can be given back through its gateway now. */
export function canRefund(group: Group): boolean {
  return group.intents.some((intent) => intent.state === 'captured' && findObstacle(intent) === undefined);
}

/**
 * The payments that a refund of these slots hits, or of everything for null: always whole payments. A refusal where the
 * refund itself would be refused.
 */
export function previewRefund(
  group: Group,
  slotIds: readonly string[] | null,
): readonly PreviewedRefund[] | Refusal {
  const intents = slotIds === null ? group.intents : findSlotIntents(group, slotIds);
  if ('code' in intents) return intents;
  const captured = intents.filter((intent) => isIntentIn(intent, 'captured'));
  if (captured.length === 0 || group.captures.length === 0)
    return refuseRefund(
      group,
      intents.filter(({ state }) => state === 'refunded').map(({ id }) => id),
    );
  return captured.map((intent) => ({
    ...previewPayment(intent),
    otherSlotIds: slotIds === null ? [] : intent.slotIds.filter((id) => !slotIds.includes(id)),
  }));
}

/** The amount that a refund of a captured payment gives back, and the reason why it would not be sent. */
export function previewPayment(intent: IntentIn<'captured'>): Omit<PreviewedRefund, 'otherSlotIds'> {
  const amountMinor = intent.amountCapturedMinor - intent.amountRefundedMinor;
  return { intent, amountMinor, failure: findObstacle(intent) };
}

const UNCAPTURED = { param: 'slot_ids', reason: 'has no captured payment' };

const isEverCaptured = (slot: Slot | undefined): boolean =>
  slot?.state === 'captured' || slot?.state === 'refunded';

/** The intents that cover the slots, or the reason why they cannot be refunded. */
function findSlotIntents(group: Group, slotIds: readonly string[]): readonly Intent[] | Refusal {
  const fault = findNamingFault(group, slotIds);
  if (fault) return fault;
  const uncaptured = slotIds.filter((id) => !isEverCaptured(findSlot(group, id)));
  if (uncaptured.length > 0)
    return { code: 'slots_not_captured', details: describeSlots(uncaptured, UNCAPTURED) };
  const intentIds = new Set(slotIds.map((id) => findSlot(group, id)?.intentId));
  return group.intents.filter(({ id }) => intentIds.has(id));
}

/** Returns the reason why the gateway of a captured payment gets no refund order. */
function findObstacle(intent: Intent): Failure | undefined {
  if (!isRefundable(intent.pspCode)) {
    const message = `refunds through the API are unavailable for ${intent.pspCode}: refund it in the gateway's own dashboard`;
    return { code: 'refund_unavailable', message, retryable: false };
  }
  if (intent.disputed) return { code: 'payment_disputed', message: 'payment is disputed', retryable: false };
  return undefined;
}
