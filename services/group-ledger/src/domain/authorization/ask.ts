import type { Change } from '../group/change.ts';
import { isPreparedAtGateway } from '../gateway-facts.ts';
import { ladderDelayMs, pauseUntilAlert, pauseUntilQuestionMs } from '../policy.ts';
import { timerKey } from '../timers/timer-key.ts';
import type { Attempt } from './attempt.ts';
import type { Intent } from '../intent/intent.ts';

/**
 * Sets the next question about an attempt: where the payer acts at the gateway at the instants its table names, else
 * on the ladder of doubt.
 */
export function askLater(change: Change, intent: Intent, attempt: Attempt, step: number): void {
  const { nowMs, jitter, policy } = change.context;
  const { id: attemptId, startedAtMs: sinceMs } = attempt;
  const alarm = { nowMs, sinceMs, alertAfterMs: policy.unresolvedAlertMs };
  const untilNextMs = isPreparedAtGateway(intent.pspCode)
    ? pauseUntilQuestionMs(policy.questionsMs[intent.pspCode], nowMs - sinceMs)
    : undefined;
  const pauseMs = pauseUntilAlert(untilNextMs ?? jitter(ladderDelayMs(policy.queryLadder, step)), alarm);
  change.setTimer('authorisation_query', timerKey.query(attemptId), nowMs + pauseMs, {
    intentId: intent.id,
    attemptId,
    step,
  });
}

/**
 * Sets the next question about an attempt that was believed to hold nothing because the gateway knew of no payment: where
 * the payer acts at the gateway he may have begun late, and what tells of it can get lost.
 */
export function recallLater(change: Change, intent: Intent, attempt: Attempt): void {
  const { nowMs, policy } = change.context;
  const next = policy.recallsMs[intent.pspCode].find((atMs) => attempt.startedAtMs + atMs > nowMs);
  if (next === undefined) return;
  change.setTimer('authorisation_query', timerKey.query(attempt.id), attempt.startedAtMs + next, {
    intentId: intent.id,
    attemptId: attempt.id,
  });
}

/** Orders a question about the attempt. */
export function askAbout(change: Change, intent: Intent, attempt: Attempt): void {
  change.order({
    operation: 'query',
    pspCode: intent.pspCode,
    credentialVersion: intent.credentialVersion,
    intentId: intent.id,
    attemptId: attempt.id,
    operationId: attempt.id,
    seq: attempt.seq,
    amountMinor: intent.amountMinor,
    pspReference: attempt.pspReference,
    notAfterMs: null,
    unlessAuthorised: false,
  });
}
