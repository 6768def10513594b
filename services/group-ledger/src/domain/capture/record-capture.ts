import type { Failure } from '@gp/contracts';
import {
  captureDeadlineMs,
  confirmCapture,
  failCapture,
  releaseKeptHold,
  retryCaptureIn,
  sendCapture,
  stopCapture,
} from './capture.ts';
import type { Change } from '../group/change.ts';
import type { CommandOf } from '../command.ts';
import { ignore, reject, type Verdict } from '../decision.ts';
import { closePayment, endHold } from '../authorization/hold-end.ts';
import { findCapture, findIntent, findOpenVoid, isOpen, type Capture } from '../group/group.ts';
import { ladderDelayMs } from '../policy.ts';
import { timerKey } from '../timers/timer-key.ts';
import { type Attempt, findAttempt } from '../authorization/attempt.ts';
import { hasHold, isIntentIn, type Intent, type IntentIn } from '../intent/intent.ts';

const tooLate: Failure = {
  code: 'capture_deadline_passed',
  message: 'the hold could not be captured before it ended',
  retryable: false,
};

/** Applies the gateway's answer to a capture. A success counts however late, a failure only for the newest try. */
export function recordCapture(change: Change, command: CommandOf<'recordCapture'>): Verdict {
  const intent = findIntent(change.group, command.intentId);
  const capture = findCapture(change.group, command.intentId);
  if (!intent || capture?.attemptId !== command.attemptId) return reject('not_found');
  const { result } = command;
  if (result.status === 'captured') return confirmCapture(change, intent, capture, result.amountMinor);
  if (capture.operationId !== command.operationId || intent.state !== 'capture_pending') {
    return ignore('stale_answer');
  }
  if (capture.state === 'waiting') return ignore('told_twice');
  switch (result.status) {
    case 'unknown':
      return capture.state === 'unknown' ? ignore('told_twice') : markUnknown(change, intent, capture);
    case 'retryable':
      return postpone(change, intent, capture);
    case 'failed':
      failCapture(change, intent, result.failure, { isHoldGone: false });
      return undefined;
    case 'lapsed': {
      const attempt = findAttempt(intent, capture.attemptId);
      return attempt ? loseHold(change, intent, attempt) : reject('not_found');
    }
  }
}

function loseHold(change: Change, intent: Intent, attempt: Attempt): Verdict {
  const verdict = endHold(change, intent, attempt, 'lapse');
  if (!verdict) closePayment(change, findIntent(change.group, intent.id) ?? intent, attempt.id);
  return verdict;
}

function markUnknown(change: Change, intent: Intent, capture: Capture): Verdict {
  change.patch('captures', capture, { state: 'unknown' });
  change.patchIntent(intent, { unknown: true });
  retryCaptureIn(change, capture, delayMs(change, capture));
  return undefined;
}

function postpone(change: Change, intent: IntentIn<'capture_pending'>, capture: Capture): Verdict {
  if (change.group.captureStoppedAtMs !== null) {
    stopCapture(change, intent, capture);
    change.rederive();
  } else if (change.context.nowMs >= captureDeadlineMs(change, intent)) {
    failCapture(change, intent, tooLate, { isHoldGone: false });
  } else {
    change.patch('captures', capture, { state: 'waiting' });
    change.patchIntent(intent, { unknown: false });
    retryCaptureIn(change, capture, delayMs(change, capture));
  }
  return undefined;
}

function delayMs(change: Change, capture: Capture): number {
  return ladderDelayMs(change.context.policy.captureLadder, capture.seq - 1);
}

/** Sends a capture again: as a new try where the last one was answered, as the same try into silence. */
export function captureRetryDue(change: Change, command: CommandOf<'captureRetryDue'>): Verdict {
  const intent = findIntent(change.group, command.intentId);
  const capture = findCapture(change.group, command.intentId);
  if (!intent || !hasHold(intent) || !capture || !isOpen(capture)) return ignore('capture_already_concluded');
  const isOver = change.context.nowMs >= captureDeadlineMs(change, intent);
  if (isOver && capture.state === 'waiting') {
    failCapture(change, intent, tooLate, { isHoldGone: false });
    return undefined;
  }
  // What may have happened is asked about for as long as it takes; nobody calls it a failure.
  const ageMs = change.context.nowMs - capture.requestedAtMs;
  const isOld = capture.state !== 'waiting' && ageMs >= change.context.policy.unresolvedAlertMs;
  if (isOver || isOld) change.alert('capture_unresolved', intent.id);
  sendCapture(change, intent, capture.state === 'started' ? capture : nextTry(change, capture));
  return undefined;
}

function nextTry(change: Change, capture: Capture): Capture {
  const operationId = change.context.newId();
  return change.patch('captures', capture, { state: 'started', operationId, seq: capture.seq + 1 });
}

/** Tries again, on an operator's word, what failed for good while its hold is still alive. */
export function retryCapture(change: Change): Verdict {
  if (change.group.captureStoppedAtMs !== null) return reject('group_not_payable');
  let count = 0;
  for (const intent of change.group.intents) if (retryOne(change, intent)) count += 1;
  if (count === 0) return reject('conflict');
  change.rederive();
  return undefined;
}

function retryOne(change: Change, intent: Intent): boolean {
  const capture = findCapture(change.group, intent.id);
  if (intent.state !== 'capture_failed' || !capture) return false;
  const attempt = findAttempt(intent, capture.attemptId);
  const isAlive = attempt?.state === 'authorised' && !findOpenVoid(change.group, attempt.id);
  if (!isAlive || change.context.nowMs >= captureDeadlineMs(change, intent)) return false;
  change.cancelTimer(timerKey.hold(intent.id));
  change.moveSlotsOf(intent, 'retry_capture');
  sendCapture(
    change,
    change.moveIntent(intent, 'retry_capture'),
    nextTry(change, change.patch('captures', capture, { requestedAtMs: change.context.nowMs })),
  );
  return true;
}

/** Releases, on an operator's word, the holds that failed captures kept. */
export function giveUpCapture(change: Change): Verdict {
  const failed = change.group.intents.filter((intent) => isIntentIn(intent, 'capture_failed'));
  const released = failed.filter((intent) => releaseKeptHold(change, intent));
  return released.length === 0 ? reject('conflict') : undefined;
}
