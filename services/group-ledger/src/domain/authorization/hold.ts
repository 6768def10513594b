import type { Failure } from '@gp/contracts';
import type { GroupDraft } from '../group/group-draft.ts';
import type { AuthoriseResult } from '../command.ts';
import { ignore, type CommandResult } from '../decision.ts';
import { startCaptures } from '../capture/capture.ts';
import { type Intent } from '../intent/intent.ts';
import { findOpenVoid, isCollecting, type Group } from '../group/group.ts';
import { timerKey } from '../timers/timer-key.ts';
import { requestVoid } from '../void/void.ts';
import type { Authorization } from './authorization.ts';
import { failIntent } from '../intent/end-intent.ts';

type Authorised = Extract<AuthoriseResult, { status: 'authorised' }> & {
  /** It became a charge already: where it is refused there is nothing to void. */
  readonly isCharged?: boolean;
};

const refusals = {
  amount_mismatch: 'the gateway holds another amount than was asked for; it is being released',
  group_expired: 'the group closed before the payment was authorised; the card is not charged',
  group_not_payable: 'the group no longer takes payments; the card is not charged',
  slot_no_longer_available: 'a slot of this payment was taken in the meantime; the card is not charged',
} as const;

/**
 * Acquire or void: a hold that the gateway reports takes all slots of its intent at once, or is given back. It
 * does not matter when or how the report arrived.
 */
export function placeHold(
  draft: GroupDraft,
  intent: Intent,
  authorization: Authorization,
  hold: Authorised,
): CommandResult {
  const settled =
    authorization.state === 'authorised' ||
    authorization.state === 'voided' ||
    authorization.state === 'cancelled';
  if (settled) return ignore('hold_already_known');
  const release = findOpenVoid(draft.group, authorization.id);
  // The order to end this payment is on its way and may end the hold as well: only its answer decides.
  if (release?.unlessAuthorised) return ignore('cancellation_in_flight');

  const { amountMinor, captureBeforeMs, pspReference, isCharged = false } = hold;
  const known = draft.moveAuthorization(intent, authorization, 'authorise', {
    amountMinor,
    captureBeforeMs,
    pspReference: pspReference ?? authorization.pspReference,
  });
  draft.post('payer:authorised', 'group:held', amountMinor, intent.id, authorization.id);
  draft.cancelTimer(timerKey.query(authorization.id));
  if (release) return undefined;

  const refusal = findRefusal(draft.group, known, hold, draft.context.nowMs);
  if (refusal) refuse(draft, known, { authorizationId: authorization.id, isCharged }, refusal);
  else
    acquire(
      draft,
      known,
      authorization.id,
      captureBeforeMs ?? draft.context.nowMs + draft.context.policy.holdWindowMs,
    );
  return undefined;
}

function findRefusal(
  group: Group,
  intent: Intent,
  hold: Authorised,
  nowMs: number,
): keyof typeof refusals | undefined {
  if (hold.amountMinor !== intent.amountMinor) return 'amount_mismatch';
  if (group.expiredAtMs !== null) return 'group_expired';
  if (!isCollecting(group) || nowMs >= group.expiresAtMs) return 'group_not_payable';
  const isWaiting = intent.state === 'created' || intent.state === 'processing' || intent.state === 'failed';
  return isWaiting && areSlotsFree(group, intent) ? undefined : 'slot_no_longer_available';
}

/** Whether every slot of the intent is unassigned or its own. */
export function areSlotsFree(group: Group, intent: Intent): boolean {
  return takenSlotIds(group, intent).length === 0;
}

/** The intent's slots that another payer has. */
export function takenSlotIds(group: Group, intent: Intent): readonly string[] {
  return group.slots
    .filter(({ id }) => intent.slotIds.includes(id))
    .filter(
      ({ state, intentId }) => state !== 'unassigned' && !(state === 'assigned' && intentId === intent.id),
    )
    .map(({ id }) => id);
}

function refuse(
  draft: GroupDraft,
  intent: Intent,
  { authorizationId, isCharged }: { readonly authorizationId: string; readonly isCharged: boolean },
  code: keyof typeof refusals,
): void {
  if (!isCharged) requestVoid(draft, intent, authorizationId);
  if (code === 'amount_mismatch') draft.alert('amount_mismatch', intent.id);
  const failure: Failure = { code, message: refusals[code], retryable: false };
  // A second hold of an intent that is held already, or was replaced, is voided without a failure.
  if (intent.state === 'created' || intent.state === 'processing') {
    failIntent(draft, intent, 'authorise', failure);
  } else if (intent.state === 'failed') {
    draft.replaceFailure(intent, failure);
    draft.announceFailure(intent.id, 'authorise', failure);
  }
  draft.rederive();
}

function acquire(draft: GroupDraft, intent: Intent, authorizationId: string, captureBeforeMs: number): void {
  const begun = intent.state === 'created' ? draft.moveIntent(intent, 'begin') : intent;
  const owner = { assignedCustomerId: intent.customerId, intentId: intent.id, reservedUntilMs: null };
  for (const slot of draft.group.slots) {
    if (intent.slotIds.includes(slot.id)) draft.moveSlot(slot, 'hold', owner);
  }
  draft.moveIntent(begun, 'hold', { hold: { authorizationId, captureBeforeMs } });
  draft.cancelTimer(timerKey.reservation(intent.id));
  draft.announce('payment_intent.preauthorised', intent.id);
  draft.rederive();
  startCaptures(draft);
  if (!isCollecting(draft.group)) return;
  const { holdMarginMs } = draft.context.policy;
  draft.setTimer('hold_lapse', timerKey.hold(intent.id), captureBeforeMs - holdMarginMs, {
    intentId: intent.id,
  });
}
