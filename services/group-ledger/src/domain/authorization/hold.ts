import type { Failure } from '@gp/contracts';
import type { Change } from '../group/change.ts';
import type { AuthoriseResult } from '../command.ts';
import { ignore, type Verdict } from '../decision.ts';
import { startCaptures } from '../capture/capture.ts';
import { type Intent } from '../intent/intent.ts';
import { findOpenVoid, isCollecting, type Group } from '../group/group.ts';
import { timerKey } from '../timers/timer-key.ts';
import { requestVoid } from '../void/void.ts';
import type { Attempt } from './attempt.ts';
import { failIntent } from '../intent/end-intent.ts';

type Authorised = Extract<AuthoriseResult, { status: 'authorised' }>;

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
export function placeHold(change: Change, intent: Intent, attempt: Attempt, hold: Authorised): Verdict {
  const settled =
    attempt.state === 'authorised' || attempt.state === 'voided' || attempt.state === 'cancelled';
  if (settled) return ignore('hold_already_known');
  const release = findOpenVoid(change.group, attempt.id);
  // The order to end this payment is on its way and may end the hold as well: only its answer tells.
  if (release?.unlessAuthorised) return ignore('cancellation_in_flight');

  const { amountMinor, captureBeforeMs, pspReference } = hold;
  const known = change.moveAttempt(intent, attempt, 'authorise', {
    amountMinor,
    captureBeforeMs,
    pspReference: pspReference ?? attempt.pspReference,
  });
  change.post('payer:authorised', 'group:held', amountMinor, intent.id, attempt.id);
  change.cancelTimer(timerKey.query(attempt.id));
  if (release) return undefined;

  const refusal = refusalOf(change.group, known, hold, change.context.nowMs);
  if (refusal) refuse(change, known, attempt.id, refusal);
  else
    acquire(
      change,
      known,
      attempt.id,
      captureBeforeMs ?? change.context.nowMs + change.context.policy.holdWindowMs,
    );
  return undefined;
}

function refusalOf(
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

/** The intent's slots that somebody else has. */
export function takenSlotIds(group: Group, intent: Intent): readonly string[] {
  return group.slots
    .filter(({ id }) => intent.slotIds.includes(id))
    .filter(
      ({ state, intentId }) => state !== 'unassigned' && !(state === 'assigned' && intentId === intent.id),
    )
    .map(({ id }) => id);
}

function refuse(change: Change, intent: Intent, attemptId: string, code: keyof typeof refusals): void {
  requestVoid(change, intent, attemptId);
  if (code === 'amount_mismatch') change.alert('amount_mismatch', intent.id);
  const failure: Failure = { code, message: refusals[code], retryable: false };
  // A second hold of an intent that is held already, or was replaced, is a stranger: nothing failed.
  if (intent.state === 'created' || intent.state === 'processing') {
    failIntent(change, intent, 'authorise', failure);
  } else if (intent.state === 'failed') {
    change.replaceFailure(intent, failure);
    change.announceFailure(intent.id, 'authorise', failure);
  }
  change.rederive();
}

function acquire(change: Change, intent: Intent, attemptId: string, captureBeforeMs: number): void {
  const begun = intent.state === 'created' ? change.moveIntent(intent, 'begin') : intent;
  const owner = { assignedCustomerId: intent.customerId, intentId: intent.id, reservedUntilMs: null };
  for (const slot of change.group.slots) {
    if (intent.slotIds.includes(slot.id)) change.moveSlot(slot, 'hold', owner);
  }
  change.moveIntent(begun, 'hold', { hold: { attemptId, captureBeforeMs } });
  change.cancelTimer(timerKey.reservation(intent.id));
  change.announce('payment_intent.preauthorised', intent.id);
  change.rederive();
  startCaptures(change);
  if (!isCollecting(change.group)) return;
  const { holdMarginMs } = change.context.policy;
  change.setTimer('hold_lapse', timerKey.hold(intent.id), captureBeforeMs - holdMarginMs, {
    intentId: intent.id,
  });
}
