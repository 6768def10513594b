import type { Failure } from '@gp/contracts';
import type { GroupDraft } from '../group/group-draft.ts';
import { ignore, type CommandResult } from '../decision.ts';
import { postNet } from '../books/post-net.ts';
import { atMost, findOpenVoid, type Capture } from '../group/group.ts';
import { failRefusedLines, openRefundLine } from '../refund/refund.ts';
import {
  findHold,
  isCapturable,
  isIntentIn,
  type CapturableIntent,
  type Hold,
  type Intent,
  type IntentIn,
  type IntentWithHold,
} from '../intent/intent.ts';
import { pauseUntilAlert, silenceMs } from '../policy.ts';
import { timerKey } from '../timers/timer-key.ts';
import { closeVoid, requestVoid } from '../void/void.ts';
import { findAuthorization } from '../authorization/authorization.ts';
import { voidExpiringHold } from '../intent/end-intent.ts';

/**
 * Starts capturing once every slot is held: one capture per intent, earliest deadline first, in the transaction
 * of the last hold. From then on the group can neither expire nor be cancelled; an expiry that captures from a minimum on is the
 * other way to the captures of a group (Q90). Holds whose account was
 * disconnected cannot be captured: such a group waits for a reconnect, or for its expiry.
 */
export function startCaptures(draft: GroupDraft): void {
  if (draft.group.state !== 'preauthorised') return;
  const intents = draft.group.intents.filter(isCapturable);
  if (isAccountRevoked(draft, intents) || voidExpiringHolds(draft, intents)) return;
  captureEach(draft, intents);
  draft.rederive();
}

/** Orders one capture per payment, that of the hold that ends first before the others. */
export function captureEach(draft: GroupDraft, intents: readonly CapturableIntent[]): void {
  const byDeadline = intents.toSorted((a, b) => a.hold.captureBeforeMs - b.hold.captureBeforeMs);
  for (const intent of byDeadline) startCapture(draft, intent);
  if (intents.length > 0) draft.cancelTimer(timerKey.expiry(draft.group.id));
}

function isAccountRevoked(draft: GroupDraft, intents: readonly Intent[]): boolean {
  const { isRevoked } = draft.context;
  const revoked = intents.find((intent) => isRevoked(intent.pspCode, intent.credentialVersion));
  if (revoked) draft.alert('credentials_revoked', revoked.id);
  return revoked !== undefined;
}

// A scheduler that releases an ending hold late must not let the others be charged for an incomplete group.
function voidExpiringHolds(draft: GroupDraft, intents: readonly CapturableIntent[]): boolean {
  const { nowMs } = draft.context;
  const dying = intents
    .filter((intent) => isIntentIn(intent, 'preauthorised'))
    .filter((intent) => nowMs >= captureDeadlineMs(draft, intent));
  for (const intent of dying) voidExpiringHold(draft, intent);
  draft.rederive();
  return dying.length > 0;
}

function startCapture(draft: GroupDraft, intent: CapturableIntent): void {
  if (intent.state === 'captured') {
    countAsCapture(draft, intent);
    return;
  }
  const capture = addCapture(draft, intent, 'started');
  draft.cancelTimer(timerKey.hold(intent.id));
  sendCapture(draft, draft.moveIntent(intent, 'capture'), capture);
}

/** Makes a charge that the merchant made in the gateway's own dashboard one of the group's captures: part of what is paid. */
export function countAsCapture(draft: GroupDraft, intent: IntentIn<'captured'>): void {
  addCapture(draft, intent, 'captured');
}

function addCapture(
  draft: GroupDraft,
  { id: intentId, hold: { authorizationId } }: CapturableIntent,
  state: 'started' | 'captured',
): Capture {
  const { newId, nowMs } = draft.context;
  const id = newId();
  const capture: Capture = {
    ...{ id, intentId, authorizationId, operationId: id },
    ...{ seq: 1, requestedAtMs: nowMs, state },
  };
  draft.add('captures', capture);
  return capture;
}

/** Sends the order unchanged. After the deadline, or once capturing was stopped, the order only queries. */
export function sendCapture(draft: GroupDraft, intent: IntentWithHold, capture: Capture): void {
  const { authorizationId, operationId, seq } = capture;
  const authorization = findAuthorization(intent, authorizationId);
  draft.requestOperation({
    operation: 'capture',
    pspCode: intent.pspCode,
    credentialVersion: intent.credentialVersion,
    intentId: intent.id,
    authorizationId,
    operationId,
    seq,
    amountMinor: intent.amountMinor,
    pspReference: authorization?.pspReference ?? null,
    notAfterMs: draft.group.captureStoppedAtMs === null ? captureDeadlineMs(draft, intent) : 0,
    unlessAuthorised: false,
  });
  retryCaptureIn(draft, capture, silenceMs(draft.context, capture));
}

export function retryCaptureIn(
  draft: GroupDraft,
  { intentId, requestedAtMs: sinceMs }: Capture,
  delayMs: number,
): void {
  const { nowMs, jitter, policy } = draft.context;
  const alarm = { nowMs, sinceMs, alertAfterMs: policy.unresolvedAlertMs };
  const dueAtMs = nowMs + pauseUntilAlert(jitter(delayMs), alarm);
  draft.setTimer('capture_retry', timerKey.capture(intentId), dueAtMs, { intentId });
}

/** Last moment at which a capture may still be sent. */
export function captureDeadlineMs({ context }: GroupDraft, { hold }: IntentWithHold): number {
  return hold.captureBeforeMs - context.policy.captureMarginMs;
}

/** Books money that the gateway reports as captured, however late, as long as the hold may still have existed. */
export function confirmCapture(
  draft: GroupDraft,
  intent: Intent,
  capture: Capture,
  reportedMinor: bigint,
): CommandResult {
  if (intent.state === 'captured' || intent.state === 'refund_pending' || intent.state === 'refunded') {
    return ignore('already_captured');
  }
  if (!awaitsCapture(intent, capture)) {
    draft.alert('captured_after_release', intent.id);
    return undefined;
  }
  draft.patch('captures', capture, { state: 'captured' });
  closeVoid(draft, capture.authorizationId, 'refused');
  const captured = bookCapture(draft, intent, capture.authorizationId, 'confirm_capture', reportedMinor);
  draft.cancelTimer(timerKey.capture(intent.id));
  // The whole group was refunded while this capture was on its way: it follows the others.
  if (draft.group.captureStoppedAtMs !== null) refundLateCapture(draft, captured);
  draft.rederive();
  return undefined;
}

/**
 * Whether a success that is still to be reported would count: the hold may have become a charge. It may have where a capture
 * was withdrawn, too: what a gateway did not show yet, or refused for being busy, can still happen (R4).
 */
export function awaitsCapture(intent: Intent, { authorizationId, state }: Capture): boolean {
  const isWithdrawn = intent.state === 'void_pending' && state === 'stopped';
  const isAwaited = intent.state === 'capture_pending' || intent.state === 'capture_failed' || isWithdrawn;
  return isAwaited && findAuthorization(intent, authorizationId)?.state === 'authorised';
}

/** Moves intent, slots and money of a hold that became a charge. */
export function bookCapture(
  draft: GroupDraft,
  intent: Intent,
  authorizationId: string,
  trigger: 'confirm_capture' | 'mirror_capture',
  reportedMinor: bigint,
): IntentIn<'captured'> {
  const heldMinor = findAuthorization(intent, authorizationId)?.amountMinor ?? intent.amountMinor;
  const amountCapturedMinor = atMost(reportedMinor, heldMinor);
  if (reportedMinor !== heldMinor) draft.alert('captured_amount_mismatch', intent.id);
  draft.moveIntentSlots(intent, 'capture');
  const counted = findHold(intent);
  const hold =
    counted?.authorizationId === authorizationId ? counted : buildHold(draft, intent, authorizationId);
  const captured = draft.moveIntent(intent, trigger, { amountCapturedMinor, hold });
  postNet(draft, 'group:held', { before: intent, after: captured }, authorizationId);
  // The gateway releases the part that it did not capture.
  draft.post('group:held', 'payer:authorised', heldMinor - amountCapturedMinor, intent.id, authorizationId);
  if (intent.state !== 'capture_pending') draft.cancelTimer(timerKey.hold(intent.id));
  draft.announce('payment_intent.captured', intent.id);
  return captured;
}

/** The hold of an intent that counts none yet, or another one that was released: from the charge on, this one counts. */
function buildHold({ context }: GroupDraft, intent: Intent, authorizationId: string): Hold {
  const captureBeforeMs = findAuthorization(intent, authorizationId)?.captureBeforeMs;
  return {
    authorizationId,
    captureBeforeMs: captureBeforeMs ?? context.nowMs + context.policy.holdWindowMs,
  };
}

function refundLateCapture(draft: GroupDraft, intent: IntentIn<'captured'>): void {
  const newest = draft.group.refundLines.findLast(
    ({ refundNumber }) => refundNumber === draft.group.refundNumber,
  );
  if (!newest) return;
  openRefundLine(draft, intent, newest);
  draft.rederive();
  failRefusedLines(draft);
}

/**
 * Gives up capturing this hold. The hold itself is kept for an operator's retry until shortly before it ends, or released
 * at once when a retry is no longer allowed.
 */
export function failCapture(
  draft: GroupDraft,
  intent: Intent,
  failure: Failure,
  { isHoldGone }: { readonly isHoldGone: boolean },
): void {
  const capture = draft.group.captures.find(({ intentId }) => intentId === intent.id);
  if (!capture) return;
  draft.patch('captures', capture, { state: 'failed' });
  draft.moveIntentSlots(intent, 'fail_capture');
  const failed = draft.moveIntent(intent, 'fail_capture', { failure });
  draft.cancelTimer(timerKey.capture(intent.id));
  draft.alert('capture_failed', intent.id);
  draft.announceFailure(intent.id, 'capture', failure);
  if (!isHoldGone) keepOrVoid(draft, failed, capture.authorizationId);
  draft.rederive();
}

function keepOrVoid(draft: GroupDraft, intent: IntentIn<'capture_failed'>, authorizationId: string): void {
  const deadlineMs = captureDeadlineMs(draft, intent);
  const isOver = draft.group.captureStoppedAtMs !== null || draft.context.nowMs >= deadlineMs;
  if (isOver) requestVoid(draft, intent, authorizationId);
  else draft.setTimer('hold_lapse', timerKey.hold(intent.id), deadlineMs, { intentId: intent.id });
}

/** Withdraws a capture that had no effect, because the merchant refunds the whole group. */
export function stopCapture(draft: GroupDraft, intent: Intent, capture: Capture): void {
  draft.patch('captures', capture, { state: 'stopped' });
  draft.moveIntentSlots(intent, 'stop_capture');
  requestVoid(draft, draft.moveIntent(intent, 'void'), capture.authorizationId);
  draft.cancelTimer(timerKey.capture(intent.id));
}

/** Releases the hold that a failed capture kept; does nothing where it is gone or being released. */
export function voidKeptHold(draft: GroupDraft, intent: IntentIn<'capture_failed'>): boolean {
  const authorization = findAuthorization(intent, intent.hold.authorizationId);
  if (authorization?.state !== 'authorised' || findOpenVoid(draft.group, authorization.id)) return false;
  requestVoid(draft, intent, authorization.id);
  draft.cancelTimer(timerKey.hold(intent.id));
  return true;
}
