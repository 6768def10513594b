import type { Failure } from '@gp/contracts';
import {
  captureDeadlineMs,
  confirmCapture,
  failCapture,
  voidKeptHold,
  retryCaptureIn,
  sendCapture,
  stopCapture,
} from './capture.ts';
import type { GroupDraft } from '../group/group-draft.ts';
import type { CommandOf } from '../command.ts';
import { ignore, reject, type CommandResult } from '../decision.ts';
import { closePayment, endHold } from '../authorization/hold-end.ts';
import { findCapture, findIntent, findOpenVoid, isOpen, type Capture } from '../group/group.ts';
import { computeDelayMs } from '../policy.ts';
import { timerKey } from '../timers/timer-key.ts';
import { type Authorization, findAuthorization } from '../authorization/authorization.ts';
import { hasHold, isIntentIn, type Intent, type IntentIn } from '../intent/intent.ts';

const tooLate: Failure = {
  code: 'capture_deadline_passed',
  message: 'the hold could not be captured before it ended',
  retryable: false,
};

/** Applies the gateway's answer to a capture. A success counts however late, a failure only for the newest try. */
export function recordCapture(draft: GroupDraft, command: CommandOf<'recordCapture'>): CommandResult {
  const intent = findIntent(draft.group, command.intentId);
  const capture = findCapture(draft.group, command.intentId);
  if (!intent || capture?.authorizationId !== command.authorizationId) return reject('not_found');
  const { result } = command;
  if (result.status === 'captured') return confirmCapture(draft, intent, capture, result.amountMinor);
  if (capture.operationId !== command.operationId || intent.state !== 'capture_pending') {
    return ignore('stale_answer');
  }
  if (capture.state === 'waiting') return ignore('already_reported');
  switch (result.status) {
    case 'unknown':
      return capture.state === 'unknown' ? ignore('already_reported') : markUnknown(draft, intent, capture);
    case 'retryable':
      return postpone(draft, intent, capture);
    case 'failed':
      failCapture(draft, intent, result.failure, { isHoldGone: false });
      return undefined;
    case 'lapsed': {
      const authorization = findAuthorization(intent, capture.authorizationId);
      return authorization ? loseHold(draft, intent, authorization) : reject('not_found');
    }
  }
}

function loseHold(draft: GroupDraft, intent: Intent, authorization: Authorization): CommandResult {
  const verdict = endHold(draft, intent, authorization, 'lapse');
  if (!verdict) closePayment(draft, draft.intent(intent), authorization.id);
  return verdict;
}

function markUnknown(draft: GroupDraft, intent: Intent, capture: Capture): CommandResult {
  draft.patch('captures', capture, { state: 'unknown' });
  draft.patchIntent(intent, { unknown: true });
  retryCaptureIn(draft, capture, delayMs(draft, capture));
  return undefined;
}

function postpone(draft: GroupDraft, intent: IntentIn<'capture_pending'>, capture: Capture): CommandResult {
  if (draft.group.captureStoppedAtMs !== null) {
    stopCapture(draft, intent, capture);
    draft.rederive();
  } else if (draft.context.nowMs >= captureDeadlineMs(draft, intent)) {
    failCapture(draft, intent, tooLate, { isHoldGone: false });
  } else {
    draft.patch('captures', capture, { state: 'waiting' });
    draft.patchIntent(intent, { unknown: false });
    retryCaptureIn(draft, capture, delayMs(draft, capture));
  }
  return undefined;
}

function delayMs(draft: GroupDraft, capture: Capture): number {
  return computeDelayMs(draft.context.policy.captureSchedule, capture.seq - 1);
}

/** Sends a capture again: as a new try after an outcome, as the same try without one. */
export function captureRetryDue(draft: GroupDraft, command: CommandOf<'captureRetryDue'>): CommandResult {
  const intent = findIntent(draft.group, command.intentId);
  const capture = findCapture(draft.group, command.intentId);
  if (!intent || !hasHold(intent) || !capture || !isOpen(capture)) return ignore('capture_already_concluded');
  const isOver = draft.context.nowMs >= captureDeadlineMs(draft, intent);
  if (isOver && capture.state === 'waiting') {
    failCapture(draft, intent, tooLate, { isHoldGone: false });
    return undefined;
  }
  // An unknown capture is queried until its outcome is known; it never counts as failed.
  const ageMs = draft.context.nowMs - capture.requestedAtMs;
  const isOld = capture.state !== 'waiting' && ageMs >= draft.context.policy.unresolvedAlertMs;
  if (isOver || isOld) draft.alert('capture_unresolved', intent.id);
  sendCapture(draft, intent, capture.state === 'started' ? capture : nextTry(draft, capture));
  return undefined;
}

function nextTry(draft: GroupDraft, capture: Capture): Capture {
  const operationId = draft.context.newId();
  return draft.patch('captures', capture, { state: 'started', operationId, seq: capture.seq + 1 });
}

/** Retries, at an operator's command, captures that failed for good while their holds live. */
export function retryCapture(draft: GroupDraft): CommandResult {
  if (draft.group.captureStoppedAtMs !== null) return reject('group_not_payable');
  let count = 0;
  for (const intent of draft.group.intents) if (retryOne(draft, intent)) count += 1;
  if (count === 0) return reject('conflict');
  draft.rederive();
  return undefined;
}

function retryOne(draft: GroupDraft, intent: Intent): boolean {
  const capture = findCapture(draft.group, intent.id);
  if (intent.state !== 'capture_failed' || !capture) return false;
  const authorization = findAuthorization(intent, capture.authorizationId);
  const isAlive = authorization?.state === 'authorised' && !findOpenVoid(draft.group, authorization.id);
  if (!isAlive || draft.context.nowMs >= captureDeadlineMs(draft, intent)) return false;
  draft.cancelTimer(timerKey.hold(intent.id));
  draft.moveIntentSlots(intent, 'retry_capture');
  sendCapture(
    draft,
    draft.moveIntent(intent, 'retry_capture'),
    nextTry(draft, draft.patch('captures', capture, { requestedAtMs: draft.context.nowMs })),
  );
  return true;
}

/** Releases, at an operator's command, the holds that failed captures kept. */
export function giveUpCapture(draft: GroupDraft): CommandResult {
  const failed = draft.group.intents.filter((intent) => isIntentIn(intent, 'capture_failed'));
  const released = failed.filter((intent) => voidKeptHold(draft, intent));
  return released.length === 0 ? reject('conflict') : undefined;
}
