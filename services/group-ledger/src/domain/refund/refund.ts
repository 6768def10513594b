import type { Failure } from '@gp/contracts';
import type { Change } from '../group/change.ts';
import type { RefundLine } from '../group/group.ts';
import { isRefundable } from '../gateway-facts.ts';
import { ladderDelayAtAgeMs, ladderDelayMs, pauseUntilAlert } from '../policy.ts';
import { timerKey } from '../timers/timer-key.ts';
import type { Intent, IntentIn } from '../intent/intent.ts';

/** What one intent's refund belongs to. */
export type RefundRequest = Pick<RefundLine, 'refundId' | 'refundNumber' | 'source'>;

/** Adds the intent's line to a refund and sends it, or fails it at once where the gateway is never asked. */
export function openRefundLine(
  change: Change,
  intent: IntentIn<'captured'>,
  request: RefundRequest,
): RefundLine {
  const line = newRefundLine(
    change,
    intent,
    request,
    intent.amountCapturedMinor - intent.amountRefundedMinor,
  );
  const failure = refusalOf(intent);
  change.add('refundLines', failure ? { ...line, failure } : line);
  if (!failure) sendRefund(change, change.moveIntent(intent, 'refund'), line);
  return failure ? { ...line, failure } : line;
}

export function newRefundLine(
  change: Change,
  intent: IntentIn<'captured'>,
  { refundId, refundNumber, source }: RefundRequest,
  amountMinor: bigint,
): RefundLine {
  const operationId = change.context.newId();
  const earlier = change.group.refundLines.filter(({ intentId }) => intentId === intent.id);
  return {
    id: operationId,
    operationId,
    refundId,
    refundNumber,
    source,
    intentId: intent.id,
    attemptId: intent.hold.attemptId,
    // Tries of one intent never share a number, so they never share a key at the gateway.
    seq: earlier.reduce((highest, { seq }) => Math.max(highest, seq), 0) + 1,
    requestedAtMs: change.context.nowMs,
    state: 'started',
    amountMinor,
    failure: null,
  };
}

function refusalOf(intent: Intent): Failure | undefined {
  if (!isRefundable(intent.pspCode)) {
    const message = `refunds through the API are unavailable for ${intent.pspCode}`;
    return { code: 'refund_unavailable', message, retryable: false };
  }
  if (intent.disputed) return { code: 'payment_disputed', message: 'payment is disputed', retryable: false };
  return undefined;
}

/** Sends the line as it stands and makes sure that silence is noticed. */
export function sendRefund(change: Change, intent: Intent, line: RefundLine): void {
  const { attemptId, operationId, seq, amountMinor } = line;
  change.order({
    operation: 'refund',
    pspCode: intent.pspCode,
    credentialVersion: intent.credentialVersion,
    intentId: intent.id,
    attemptId,
    operationId,
    seq,
    amountMinor,
    pspReference: intent.attempts.find(({ id }) => id === attemptId)?.pspReference ?? null,
    notAfterMs: null,
    unlessAuthorised: false,
  });
  retryIn(change, line, change.context.policy.silenceMs);
}

/** Plans the next question about a line whose outcome is unknown: the older the refund, the longer the pause. */
export function askRefundLater(change: Change, line: RefundLine): void {
  const { nowMs, policy } = change.context;
  retryIn(change, line, ladderDelayAtAgeMs(policy.queryLadder, nowMs - line.requestedAtMs));
}

/** Plans the next try of a line that certainly had no effect: the more tries it had, the longer the pause. */
export function retryRefundLater(change: Change, line: RefundLine): void {
  const earlier = change.group.refundLines.filter(
    ({ intentId, seq }) => intentId === line.intentId && seq < line.seq,
  );
  const tries = line.seq - earlier.reduce((highest, { seq }) => Math.max(highest, seq), 0);
  retryIn(change, line, ladderDelayMs(change.context.policy.refundLadder, tries - 1));
}

function retryIn(change: Change, { intentId, requestedAtMs: sinceMs }: RefundLine, delayMs: number): void {
  const { nowMs, jitter, policy } = change.context;
  const alarm = { nowMs, sinceMs, alertAfterMs: policy.unresolvedAlertMs };
  const dueAtMs = nowMs + pauseUntilAlert(jitter(delayMs), alarm);
  change.setTimer('refund_retry', timerKey.refund(intentId), dueAtMs, { intentId });
}

/** Fails the lines whose gateway is never asked, once the group was seen `refunding`. */
export function failRefusedLines(change: Change): void {
  for (const line of change.group.refundLines) {
    if (line.failure && line.state === 'started') change.patch('refundLines', line, { state: 'failed' });
  }
  change.rederive();
}

/** Books money that went back to the payer for the whole intent. */
export function bookRefund(change: Change, intent: Intent, line: RefundLine, amountMinor: bigint): void {
  change.moveSlotsOf(intent, 'refund');
  change.patchIntent(intent, { amountRefundedMinor: intent.amountRefundedMinor + amountMinor });
  change.post('merchant:captured', 'payer:refunded', amountMinor, intent.id, line.attemptId);
  change.announceRefund(intent.id, line.refundId);
}
