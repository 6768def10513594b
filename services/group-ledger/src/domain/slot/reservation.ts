import type { Failure } from '@gp/contracts';
import { askAbout } from '../authorization/ask.ts';
import type { Change } from '../group/change.ts';
import type { CommandOf } from '../command.ts';
import { ignore, type Verdict } from '../decision.ts';
import type { Intent, IntentIn } from '../intent/intent.ts';
import { captureDeadlineMs, releaseKeptHold } from '../capture/capture.ts';
import { findIntent, isCollecting } from '../group/group.ts';
import { isCancellable } from '../gateway-facts.ts';
import { timerKey } from '../timers/timer-key.ts';
import { requestVoid } from '../void/void.ts';
import { isInFlight } from '../authorization/attempt.ts';
import { endDeclinedAttempts, failIntent, giveBackHold } from '../intent/end-intent.ts';

const notFinished: Failure = {
  code: 'reservation_expired',
  message: 'the payment was not finished in time; its slots are free again',
  retryable: true,
};
/**
 * Ends what the payer left unfinished. Abandoned slots are given back, unless the payer may still succeed: then the gateway is told to end the payment if
 * nothing is held, or, where that is impossible, asked; the slots stay taken until it answered.
 */
export function reservationLapsed(change: Change, command: CommandOf<'reservationLapsed'>): Verdict {
  const intent = findIntent(change.group, command.intentId);
  if (intent?.state === 'failed') return endDeclined(change, intent);
  const isWaiting = intent?.state === 'created' || intent?.state === 'processing';
  if (!intent || !isWaiting || !isCollecting(change.group)) return ignore('reservation_already_over');
  const { nowMs, policy } = change.context;
  const reservedUntilMs = reservationEndMs(change, intent);
  if (nowMs < reservedUntilMs) {
    change.setTimer('reservation', timerKey.reservation(intent.id), reservedUntilMs, { intentId: intent.id });
    return undefined;
  }
  const inFlight = intent.attempts.find(isInFlight);
  if (!inFlight) {
    failIntent(change, intent, 'authorise', notFinished);
    change.rederive();
    return undefined;
  }
  if (isCancellable(intent.pspCode)) requestVoid(change, intent, inFlight.id, true);
  else askAbout(change, intent, inFlight);
  change.setTimer('reservation', timerKey.reservation(intent.id), nowMs + policy.rearmMs, {
    intentId: intent.id,
  });
  return undefined;
}

// After a decline the payer could still try another card on the same payment, long after everybody forgot it.
function endDeclined(change: Change, intent: Intent): Verdict {
  endDeclinedAttempts(change, intent, isCollecting(change.group));
  return change.isTouched ? undefined : ignore('reservation_already_over');
}

function reservationEndMs(change: Change, intent: Intent): number {
  let endMs = 0;
  for (const slot of change.group.slots) {
    if (slot.intentId === intent.id) endMs = Math.max(endMs, slot.reservedUntilMs ?? 0);
  }
  return endMs;
}

/**
 * A hold is about to die at the gateway. While the group is collecting it is given back and its slots can be paid
 * again; one that a failed capture kept is released.
 */
export function holdLapsing(change: Change, command: CommandOf<'holdLapsing'>): Verdict {
  const intent = findIntent(change.group, command.intentId);
  if (intent?.state === 'preauthorised' && isCollecting(change.group)) return giveBack(change, intent);
  if (intent?.state !== 'capture_failed') return ignore('no_hold_to_lapse');
  const deadlineMs = captureDeadlineMs(change, intent);
  if (change.context.nowMs < deadlineMs) rearm(change, intent, deadlineMs);
  else if (!releaseKeptHold(change, intent)) return ignore('no_hold_to_lapse');
  return undefined;
}

function giveBack(change: Change, intent: IntentIn<'preauthorised'>): Verdict {
  const { nowMs, policy } = change.context;
  const dueAtMs = intent.hold.captureBeforeMs - policy.holdMarginMs;
  if (nowMs < dueAtMs) {
    rearm(change, intent, dueAtMs);
    return undefined;
  }
  giveBackHold(change, intent);
  change.rederive();
  return undefined;
}

function rearm(change: Change, intent: Intent, dueAtMs: number): void {
  change.setTimer('hold_lapse', timerKey.hold(intent.id), dueAtMs, { intentId: intent.id });
}
