import type { Failure } from '@gp/contracts';
import type { Change } from '../group/change.ts';
import { ignore, type Verdict } from '../decision.ts';
import { atMost, findOpenVoid, type Capture } from '../group/group.ts';
import { failRefusedLines, openRefundLine } from '../refund/refund.ts';
import { isIntentIn, type Intent, type IntentIn, type IntentWithHold } from '../intent/intent.ts';
import { pauseUntilAlert } from '../policy.ts';
import { timerKey } from '../timers/timer-key.ts';
import { closeVoid, requestVoid } from '../void/void.ts';
import { findAttempt } from '../authorization/attempt.ts';
import { giveBackHold } from '../intent/end-intent.ts';

type CapturableIntent = IntentIn<'preauthorised' | 'captured'>;

/**
 * Starts capturing once every slot is held: one capture per intent, earliest deadline first, in the transaction
 * of the last hold. From then on the group can neither expire nor be cancelled. Holds whose account was
 * disconnected cannot be captured: such a group waits for a reconnect, or for its expiry.
 */
export function startCaptures(change: Change): void {
  if (change.group.state !== 'preauthorised') return;
  const intents = change.group.intents
    .filter((intent) => isIntentIn(intent, 'preauthorised', 'captured'))
    .toSorted((a, b) => a.hold.captureBeforeMs - b.hold.captureBeforeMs);
  if (isAccountRevoked(change, intents) || giveBackDying(change, intents)) return;
  for (const intent of intents) startCapture(change, intent);
  change.cancelTimer(timerKey.expiry(change.group.id));
  change.rederive();
}

function isAccountRevoked(change: Change, intents: readonly Intent[]): boolean {
  const { isRevoked } = change.context;
  const revoked = intents.find((intent) => isRevoked(intent.pspCode, intent.credentialVersion));
  if (revoked) change.alert('credentials_revoked', revoked.id);
  return revoked !== undefined;
}

// A scheduler that is late to give a dying hold back must not let the others be charged for an incomplete group.
function giveBackDying(change: Change, intents: readonly CapturableIntent[]): boolean {
  const { nowMs } = change.context;
  const dying = intents
    .filter((intent) => isIntentIn(intent, 'preauthorised'))
    .filter((intent) => nowMs >= captureDeadlineMs(change, intent));
  for (const intent of dying) giveBackHold(change, intent);
  change.rederive();
  return dying.length > 0;
}

function startCapture(change: Change, intent: CapturableIntent): void {
  const { newId, nowMs } = change.context;
  const operationId = newId();
  const isDone = intent.state === 'captured';
  const capture: Capture = {
    id: operationId,
    intentId: intent.id,
    attemptId: intent.hold.attemptId,
    operationId,
    seq: 1,
    requestedAtMs: nowMs,
    // Captured in the gateway's own dashboard before the group was complete: part of what is paid.
    state: isDone ? 'captured' : 'started',
  };
  change.add('captures', capture);
  if (isDone) return;
  change.cancelTimer(timerKey.hold(intent.id));
  sendCapture(change, change.moveIntent(intent, 'capture'), capture);
}

/** Sends the order as it stands. After the deadline, or once capturing was stopped, it only asks. */
export function sendCapture(change: Change, intent: IntentWithHold, capture: Capture): void {
  const { attemptId, operationId, seq } = capture;
  const attempt = findAttempt(intent, attemptId);
  change.order({
    operation: 'capture',
    pspCode: intent.pspCode,
    credentialVersion: intent.credentialVersion,
    intentId: intent.id,
    attemptId,
    operationId,
    seq,
    amountMinor: intent.amountMinor,
    pspReference: attempt?.pspReference ?? null,
    notAfterMs: change.group.captureStoppedAtMs === null ? captureDeadlineMs(change, intent) : 0,
    unlessAuthorised: false,
  });
  retryCaptureIn(change, capture, change.context.policy.silenceMs);
}

export function retryCaptureIn(
  change: Change,
  { intentId, requestedAtMs: sinceMs }: Capture,
  delayMs: number,
): void {
  const { nowMs, jitter, policy } = change.context;
  const alarm = { nowMs, sinceMs, alertAfterMs: policy.unresolvedAlertMs };
  const dueAtMs = nowMs + pauseUntilAlert(jitter(delayMs), alarm);
  change.setTimer('capture_retry', timerKey.capture(intentId), dueAtMs, { intentId });
}

/** Last moment at which a capture may still be sent. */
export function captureDeadlineMs({ context }: Change, { hold }: IntentWithHold): number {
  return hold.captureBeforeMs - context.policy.captureMarginMs;
}

/** Books money that the gateway says it captured, however late, as long as the hold may still have been there. */
export function confirmCapture(change: Change, intent: Intent, capture: Capture, toldMinor: bigint): Verdict {
  if (intent.state === 'captured' || intent.state === 'refund_pending' || intent.state === 'refunded') {
    return ignore('already_captured');
  }
  if (!awaitsCapture(intent, capture)) {
    change.alert('captured_after_release', intent.id);
    return undefined;
  }
  change.patch('captures', capture, { state: 'captured' });
  closeVoid(change, capture.attemptId, 'refused');
  const captured = bookCapture(change, intent, capture.attemptId, 'confirm_capture', toldMinor);
  change.cancelTimer(timerKey.capture(intent.id));
  // The whole group was refunded while this capture was on its way: it follows the others.
  if (change.group.captureStoppedAtMs !== null) refundStraggler(change, captured);
  change.rederive();
  return undefined;
}

/**
 * Whether a success that is still to be told would count: the hold may have become a charge. It may have where a capture
 * was withdrawn, too: what a gateway did not show yet, or refused for being busy, can still happen (R4).
 */
export function awaitsCapture(intent: Intent, { attemptId, state }: Capture): boolean {
  const isWithdrawn = intent.state === 'void_pending' && state === 'stopped';
  const isAwaited = intent.state === 'capture_pending' || intent.state === 'capture_failed' || isWithdrawn;
  return isAwaited && findAttempt(intent, attemptId)?.state === 'authorised';
}

/** Moves intent, slots and money of a hold that became a charge. */
export function bookCapture(
  change: Change,
  intent: Intent,
  attemptId: string,
  trigger: 'confirm_capture' | 'mirror_capture',
  toldMinor: bigint,
): IntentIn<'captured'> {
  const heldMinor = findAttempt(intent, attemptId)?.amountMinor ?? intent.amountMinor;
  const amountCapturedMinor = atMost(toldMinor, heldMinor);
  if (toldMinor !== heldMinor) change.alert('captured_amount_mismatch', intent.id);
  change.moveSlotsOf(intent, 'capture');
  const captured = change.moveIntent(intent, trigger, { amountCapturedMinor });
  change.post('group:held', 'merchant:captured', amountCapturedMinor, intent.id, attemptId);
  // The gateway lets go of what it did not capture.
  change.post('group:held', 'payer:authorised', heldMinor - amountCapturedMinor, intent.id, attemptId);
  if (intent.state !== 'capture_pending') change.cancelTimer(timerKey.hold(intent.id));
  change.announce('payment_intent.captured', intent.id);
  return captured;
}

function refundStraggler(change: Change, intent: IntentIn<'captured'>): void {
  const newest = change.group.refundLines.findLast(
    ({ refundNumber }) => refundNumber === change.group.refundNumber,
  );
  if (!newest) return;
  openRefundLine(change, intent, newest);
  change.rederive();
  failRefusedLines(change);
}

/**
 * Gives up capturing this hold. The hold itself is kept for an operator's retry until shortly before it dies,
 * unless nobody may retry any more.
 */
export function failCapture(
  change: Change,
  intent: Intent,
  failure: Failure,
  { isHoldGone }: { readonly isHoldGone: boolean },
): void {
  const capture = change.group.captures.find(({ intentId }) => intentId === intent.id);
  if (!capture) return;
  change.patch('captures', capture, { state: 'failed' });
  change.moveSlotsOf(intent, 'fail_capture');
  const failed = change.moveIntent(intent, 'fail_capture', { failure });
  change.cancelTimer(timerKey.capture(intent.id));
  change.alert('capture_failed', intent.id);
  change.announceFailure(intent.id, 'capture', failure);
  if (!isHoldGone) keepOrVoid(change, failed, capture.attemptId);
  change.rederive();
}

function keepOrVoid(change: Change, intent: IntentIn<'capture_failed'>, attemptId: string): void {
  const deadlineMs = captureDeadlineMs(change, intent);
  const isOver = change.group.captureStoppedAtMs !== null || change.context.nowMs >= deadlineMs;
  if (isOver) requestVoid(change, intent, attemptId);
  else change.setTimer('hold_lapse', timerKey.hold(intent.id), deadlineMs, { intentId: intent.id });
}

/** Withdraws a capture that had no effect, because the merchant refunds the whole group. */
export function stopCapture(change: Change, intent: Intent, capture: Capture): void {
  change.patch('captures', capture, { state: 'stopped' });
  change.moveSlotsOf(intent, 'stop_capture');
  requestVoid(change, change.moveIntent(intent, 'void'), capture.attemptId);
  change.cancelTimer(timerKey.capture(intent.id));
}

/** Releases the hold that a failed capture kept; does nothing where it is gone or being released. */
export function releaseKeptHold(change: Change, intent: IntentIn<'capture_failed'>): boolean {
  const attempt = findAttempt(intent, intent.hold.attemptId);
  if (attempt?.state !== 'authorised' || findOpenVoid(change.group, attempt.id)) return false;
  requestVoid(change, intent, attempt.id);
  change.cancelTimer(timerKey.hold(intent.id));
  return true;
}
