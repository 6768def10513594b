import { awaitsCapture, confirmCapture } from '../capture/capture.ts';
import type { Change } from '../group/change.ts';
import type { CommandOf, VoidResult } from '../command.ts';
import { ignore, reject, type Verdict } from '../decision.ts';
import { endHold } from '../authorization/hold-end.ts';
import { placeHold } from '../authorization/hold.ts';
import { findCapture, findOpenVoid, findVoid, isOpen, locateAttempt, type Void } from '../group/group.ts';
import { ladderDelayMs } from '../policy.ts';
import { closeVoid, releaseDeadlineMs, retryVoidIn, sendVoid } from './void.ts';
import type { Attempt } from '../authorization/attempt.ts';
import { isWinner, type Intent } from '../intent/intent.ts';

/** Applies the gateway's answer to a release. */
export function recordVoid(change: Change, command: CommandOf<'recordVoid'>): Verdict {
  const found = locateAttempt(change.group, command);
  const order = findVoid(change.group, command.attemptId);
  if (!found || !order) return reject('not_found');
  const { intent, attempt } = found;
  const { result } = command;
  switch (result.status) {
    case 'voided':
      return endHold(change, intent, attempt, 'void');
    case 'absent':
      return endHold(change, intent, attempt, 'miss');
    case 'captured':
      // An earlier try may tell of a charge that the scheme has taken back since; the open one sees what is there.
      if (isOpen(order) && order.operationId !== command.operationId) return ignore('stale_answer');
      return refuseVoid(change, intent, attempt, order);
    case 'spared':
      return spare(change, intent, attempt, order, result);
    case 'retryable':
    case 'unknown':
      if (order.operationId !== command.operationId || !isOpen(order)) return ignore('stale_answer');
      if (order.state === 'waiting' || order.state === result.status) return ignore('told_twice');
      return postpone(change, intent, order, result.status);
  }
}

function postpone(change: Change, intent: Intent, order: Void, status: 'retryable' | 'unknown'): Verdict {
  const isUnknown = status === 'unknown';
  change.patch('voids', order, { state: isUnknown ? 'unknown' : 'waiting' });
  if (intent.state === 'void_pending') change.patchIntent(intent, { unknown: isUnknown });
  retryVoidIn(change, order, ladderDelayMs(change.context.policy.voidLadder, order.seq - 1));
  return undefined;
}

// The gateway found a hold when told to end the payment unless it was authorised: that is a success.
function spare(
  change: Change,
  intent: Intent,
  attempt: Attempt,
  order: Void,
  hold: Extract<VoidResult, { status: 'spared' }>,
): Verdict {
  if (order.unlessAuthorised) closeVoid(change, attempt.id, 'withdrawn');
  return placeHold(change, intent, attempt, { ...hold, status: 'authorised' });
}

// Somebody captured what was to be released. Where we had given the capture up, it is the late success.
function refuseVoid(change: Change, intent: Intent, attempt: Attempt, order: Void): Verdict {
  const isBooked = isWinner(intent, attempt.id) && intent.amountCapturedMinor > 0n;
  if (isBooked && !isOpen(order)) return ignore('already_captured');
  const capture = findCapture(change.group, intent.id);
  if (isOpen(order) && capture?.attemptId === attempt.id && awaitsCapture(intent, capture)) {
    return confirmCapture(change, intent, capture, attempt.amountMinor ?? intent.amountMinor);
  }
  closeVoid(change, attempt.id, 'refused');
  change.alert('captured_after_release', intent.id);
  return undefined;
}

/** Sends a release again: as a new try where the last one was answered, as the same try into silence. */
export function voidRetryDue(change: Change, command: CommandOf<'voidRetryDue'>): Verdict {
  const found = locateAttempt(change.group, command);
  const order = findOpenVoid(change.group, command.attemptId);
  if (!found || !order) return ignore('void_already_concluded');
  const { intent, attempt } = found;
  const { nowMs, newId, policy } = change.context;
  if (nowMs >= releaseDeadlineMs(change, attempt, order)) return endHold(change, intent, attempt, 'lapse');
  if (nowMs - order.requestedAtMs >= policy.voidAlertMs) change.alert('void_unconfirmed', intent.id);
  const isSilent = order.state === 'started';
  const again = isSilent
    ? order
    : change.patch('voids', order, { state: 'started', operationId: newId(), seq: order.seq + 1 });
  sendVoid(change, intent, again);
  return undefined;
}
