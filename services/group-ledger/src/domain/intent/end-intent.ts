import type { Failure } from '@gp/contracts';
import type { Change } from '../group/change.ts';
import type { FailureStage } from '../decision.ts';
import { findIntent, findOpenVoid, type Group } from '../group/group.ts';
import { isCancellable } from '../gateway-facts.ts';
import { timerKey } from '../timers/timer-key.ts';
import { requestVoid } from '../void/void.ts';
import { type Attempt, isInFlight } from '../authorization/attempt.ts';
import type { Intent, IntentIn } from './intent.ts';

const expiring: Failure = {
  code: 'authorization_expiring',
  message: 'the hold would have ended before the group was complete and was released; pay again',
  retryable: true,
};

const freed = { assignedCustomerId: null, reservedUntilMs: null, intentId: null };

/** Ends the intent without a hold and gives its slots back at once, for anybody to take. */
export function failIntent(change: Change, intent: Intent, stage: FailureStage, failure: Failure): void {
  change.moveSlotsOf(intent, 'release', freed);
  change.moveIntent(intent, 'fail', { failure });
  // The timer stays where another card may still be tried: it then ends the payment at the gateway.
  const canTryAgain =
    isCancellable(intent.pspCode) && intent.attempts.some(({ state }) => state === 'declined');
  if (!canTryAgain) change.cancelTimer(timerKey.reservation(intent.id));
  change.announceFailure(intent.id, stage, failure);
}

/** Takes a hold out of a group that is still collecting: its slots can be paid again. */
export function lapseIntent(change: Change, intent: Intent, failure: Failure): void {
  change.moveSlotsOf(intent, 'lapse', freed);
  change.moveIntent(intent, 'lapse', { failure });
  change.cancelTimer(timerKey.hold(intent.id));
  change.announceFailure(intent.id, 'hold', failure);
}

/** Releases a hold that would die before it can be captured; its payer pays again. */
export function giveBackHold(change: Change, intent: IntentIn<'preauthorised'>): void {
  requestVoid(change, intent, intent.hold.attemptId);
  lapseIntent(change, intent, expiring);
}

/** Replaces an unheld intent by a newer one of the same payer. Whatever it still brings in is voided. */
export function supersede(change: Change, intent: Intent, supersededBy: string): void {
  change.moveSlotsOf(intent, 'release', freed);
  withdraw(change, change.patchIntent(intent, { supersededBy }));
}

/**
 * Ends an intent that never held: what can be cancelled at the gateway is, what is on its way is waited for and
 * voided if it succeeds.
 */
export function withdraw(change: Change, intent: Intent): void {
  const ended = change.moveIntent(intent, 'void');
  change.cancelTimer(timerKey.reservation(intent.id));
  for (const attempt of intent.attempts) endAttempt(change, ended, attempt);
  settleVoid(change, intent.id);
}

function endAttempt(change: Change, intent: Intent, attempt: Attempt): void {
  const canStillSucceed = isInFlight(attempt) || attempt.state === 'declined';
  if (isCancellable(intent.pspCode) && canStillSucceed) {
    // The release is asked about until it is answered.
    change.cancelTimer(timerKey.query(attempt.id));
    requestVoid(change, intent, attempt.id);
  } else if (isInFlight(attempt)) watchAttempt(change, intent, attempt.id);
}

/** Ends payments at the gateway that were declined and could still be paid with another card. */
export function endDeclinedAttempts(change: Change, intent: Intent, unlessAuthorised: boolean): void {
  if (!isCancellable(intent.pspCode)) return;
  for (const { id, state } of intent.attempts) {
    if (state === 'declined') requestVoid(change, intent, id, unlessAuthorised);
  }
}

/** Makes sure that somebody asks how the attempt ended, if nobody tells. */
export function watchAttempt(change: Change, intent: Intent, attemptId: string): void {
  const dueAtMs = change.context.nowMs + change.context.policy.authoriseSilenceMs;
  change.setTimer('authorisation_query', timerKey.query(attemptId), dueAtMs, {
    intentId: intent.id,
    attemptId,
  });
}

/** Calls a withdrawn intent `voided` once none of its attempts can hold money any more. */
export function settleVoid(change: Change, intentId: string): void {
  const intent = findIntent(change.group, intentId);
  if (intent?.state !== 'void_pending') return;
  if (intent.attempts.every((attempt) => isDead(change.group, attempt)))
    change.moveIntent(intent, 'confirm_void');
}

function isDead(group: Group, attempt: Attempt): boolean {
  if (findOpenVoid(group, attempt.id)) return false;
  return attempt.state !== 'authorised' && !isInFlight(attempt);
}
