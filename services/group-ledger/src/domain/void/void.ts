import type { Change } from '../group/change.ts';
import { findOpenVoid, findVoid, isOpen, type Void } from '../group/group.ts';
import { pauseUntilAlert } from '../policy.ts';
import { timerKey } from '../timers/timer-key.ts';
import type { Attempt } from '../authorization/attempt.ts';
import type { Intent } from '../intent/intent.ts';

/**
 * Orders the release of whatever the attempt holds or may come to hold; asking twice orders once. With
 * `unlessAuthorised` the gateway is to leave a hold alone that already exists.
 */
export function requestVoid(
  change: Change,
  intent: Intent,
  attemptId: string,
  unlessAuthorised = false,
): void {
  const earlier = findVoid(change.group, attemptId);
  if (earlier && isOpen(earlier) && (unlessAuthorised || !earlier.unlessAuthorised)) return;
  const operationId = change.context.newId();
  const fresh = {
    operationId,
    requestedAtMs: change.context.nowMs,
    unlessAuthorised,
    state: 'started',
  } as const;
  if (earlier) {
    sendVoid(change, intent, change.patch('voids', earlier, { ...fresh, seq: earlier.seq + 1 }));
    return;
  }
  const order: Void = { id: operationId, intentId: intent.id, attemptId, seq: 1, ...fresh };
  change.add('voids', order);
  sendVoid(change, intent, order);
}

/** Sends the order as it stands and makes sure that silence is noticed. */
export function sendVoid(change: Change, intent: Intent, order: Void): void {
  const { attemptId, operationId, seq, unlessAuthorised } = order;
  const attempt = intent.attempts.find(({ id }) => id === attemptId);
  change.order({
    operation: 'void',
    pspCode: intent.pspCode,
    credentialVersion: intent.credentialVersion,
    intentId: intent.id,
    attemptId,
    operationId,
    seq,
    // A hold in a foreign currency has no amount of ours; every gateway releases the whole of it all the same.
    amountMinor: attempt?.amountMinor || intent.amountMinor,
    pspReference: attempt?.pspReference ?? null,
    notAfterMs: null,
    unlessAuthorised,
  });
  retryVoidIn(change, order, change.context.policy.silenceMs);
}

export function retryVoidIn(
  change: Change,
  { intentId, attemptId, requestedAtMs: sinceMs }: Void,
  delayMs: number,
): void {
  const { nowMs, jitter, policy } = change.context;
  const alarm = { nowMs, sinceMs, alertAfterMs: policy.voidAlertMs };
  const dueAtMs = nowMs + pauseUntilAlert(jitter(delayMs), alarm);
  change.setTimer('void_retry', timerKey.void(attemptId), dueAtMs, { intentId, attemptId });
}

/** Concludes the attempt's open release, if there is one. */
export function closeVoid(
  change: Change,
  attemptId: string,
  state: 'confirmed' | 'lapsed' | 'withdrawn' | 'refused',
): void {
  const order = findOpenVoid(change.group, attemptId);
  if (!order) return;
  change.patch('voids', order, { state });
  change.cancelTimer(timerKey.void(attemptId));
}

/**
 * When what a release is to end is dead at the gateway even if nobody releases it. Where the hold had ended before, it is
 * the payment, which the payer might pay once more until then.
 */
export function releaseDeadlineMs(change: Change, attempt: Attempt, { requestedAtMs }: Void): number {
  const { holdWindowMs } = change.context.policy;
  if (attempt.state === 'cancelled') return requestedAtMs + holdWindowMs;
  return attempt.captureBeforeMs ?? attempt.startedAtMs + holdWindowMs;
}
