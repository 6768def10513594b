import type { GroupDraft } from '../group/group-draft.ts';
import type { RefundLine } from '../group/group.ts';
import { postNet } from '../books/post-net.ts';
import { computeDelayAtAgeMs, computeDelayMs, pauseUntilAlert, silenceMs } from '../policy.ts';
import { timerKey } from '../timers/timer-key.ts';
import type { Intent, IntentIn } from '../intent/intent.ts';
import { previewPayment } from './preview-refund.ts';

/** The objects that one intent's refund belongs to. */
export type RefundRequest = Pick<RefundLine, 'refundId' | 'refundNumber' | 'source'>;

/** Adds the intent's line to a refund and sends it, or fails it at once where the gateway is never called. */
export function openRefundLine(
  draft: GroupDraft,
  intent: IntentIn<'captured'>,
  request: RefundRequest,
): RefundLine {
  const { amountMinor, failure } = previewPayment(intent);
  const line = newRefundLine(draft, intent, request, amountMinor);
  draft.add('refundLines', failure ? { ...line, failure } : line);
  if (!failure) sendRefund(draft, draft.moveIntent(intent, 'refund'), line);
  return failure ? { ...line, failure } : line;
}

export function newRefundLine(
  draft: GroupDraft,
  intent: IntentIn<'captured'>,
  { refundId, refundNumber, source }: RefundRequest,
  amountMinor: bigint,
): RefundLine {
  const operationId = draft.context.newId();
  const earlier = draft.group.refundLines.filter(({ intentId }) => intentId === intent.id);
  return {
    id: operationId,
    operationId,
    refundId,
    refundNumber,
    source,
    intentId: intent.id,
    authorizationId: intent.hold.authorizationId,
    // Tries of one intent never share a number, so they never share a key at the gateway.
    seq: earlier.reduce((highest, { seq }) => Math.max(highest, seq), 0) + 1,
    requestedAtMs: draft.context.nowMs,
    state: 'started',
    amountMinor,
    failure: null,
  };
}

/** Sends the line unchanged, and sets the timer for a missing outcome. */
export function sendRefund(draft: GroupDraft, intent: Intent, line: RefundLine): void {
  const { authorizationId, operationId, seq, amountMinor } = line;
  draft.requestOperation({
    operation: 'refund',
    pspCode: intent.pspCode,
    credentialVersion: intent.credentialVersion,
    intentId: intent.id,
    authorizationId,
    operationId,
    seq,
    amountMinor,
    pspReference: intent.authorizations.find(({ id }) => id === authorizationId)?.pspReference ?? null,
    notAfterMs: null,
    unlessAuthorised: false,
  });
  retryIn(draft, line, silenceMs(draft.context, line));
}

/** Plans the next query of a line whose outcome is unknown: the older the refund, the longer the pause. */
export function askRefundLater(draft: GroupDraft, line: RefundLine): void {
  const { nowMs, policy } = draft.context;
  retryIn(draft, line, computeDelayAtAgeMs(policy.querySchedule, nowMs - line.requestedAtMs));
}

/** Plans the next try of a line that certainly had no effect: the more tries it had, the longer the pause. */
export function retryRefundLater(draft: GroupDraft, line: RefundLine): void {
  const earlier = draft.group.refundLines.filter(
    ({ intentId, seq }) => intentId === line.intentId && seq < line.seq,
  );
  const tries = line.seq - earlier.reduce((highest, { seq }) => Math.max(highest, seq), 0);
  retryIn(draft, line, computeDelayMs(draft.context.policy.refundSchedule, tries - 1));
}

function retryIn(draft: GroupDraft, { intentId, requestedAtMs: sinceMs }: RefundLine, delayMs: number): void {
  const { nowMs, jitter, policy } = draft.context;
  const alarm = { nowMs, sinceMs, alertAfterMs: policy.unresolvedAlertMs };
  const dueAtMs = nowMs + pauseUntilAlert(jitter(delayMs), alarm);
  draft.setTimer('refund_retry', timerKey.refund(intentId), dueAtMs, { intentId });
}

/** Fails the lines whose gateway gets no order, once the group was seen `refunding`. */
export function failRefusedLines(draft: GroupDraft): void {
  for (const line of draft.group.refundLines) {
    if (line.failure && line.state === 'started') draft.patch('refundLines', line, { state: 'failed' });
  }
  draft.rederive();
}

/** Books money that went back to the payer for the whole intent. */
export function bookRefund(draft: GroupDraft, intent: Intent, line: RefundLine, amountMinor: bigint): void {
  draft.moveIntentSlots(intent, 'refund');
  const amountRefundedMinor = intent.amountRefundedMinor + amountMinor;
  const refunded = draft.patchIntent(intent, { amountRefundedMinor });
  postNet(draft, 'payer:refunded', { before: intent, after: refunded }, line.authorizationId);
  draft.announceRefund(intent.id, line.refundId);
}
