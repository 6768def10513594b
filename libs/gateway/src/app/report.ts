import { encodePaymentIds, outcomeRecorded, type Outcome } from '@gp/contracts';
import type { OutboxMessage } from '@gp/outbox';
import type { Queryable } from '@gp/pg';
import { aheadMs } from '@gp/test-clock';
import type { AdapterCore } from '../adapter.ts';
import type { GatewayCall } from '../domain/gateway-call.ts';
import type { CallResult } from '../domain/call-result.ts';
import { uuidv7 } from 'uuidv7';

/** The payment a report is about. */
export type Subject = Pick<
  GatewayCall,
  'mode' | 'merchantId' | 'groupId' | 'intentId' | 'attemptId' | 'currency'
> & {
  readonly pspReference: string | null;
};

/**
 * Builds an outcome for the ledger, under its own id. The gateway reports real time and the ledger decides by
 * the merchant's, which a test clock may have put ahead.
 */
export async function buildOutcome(adapter: OutcomeReporter, o: OutcomeParts): Promise<Outcome> {
  return encodeOutcome(o, {
    psp: adapter.psp,
    now: adapter.clock.now(),
    aheadMs: await aheadMs(adapter.db, o.subject),
  });
}

/** The adapter that reports, and where it reads the merchant's clock: in a transaction, that transaction. */
export type OutcomeReporter = Pick<AdapterCore, 'psp' | 'clock'> & { readonly db: Queryable };

type OutcomeParts = {
  subject: Subject;
  operation: Outcome['operation'];
  operationId: string | null;
  source: Outcome['source'];
  verdict: CallResult;
};

function encodeOutcome(
  o: OutcomeParts,
  at: { psp: Outcome['psp_code']; now: Date; aheadMs: number },
): Outcome {
  const { subject, verdict } = o;
  const inTheirTime = (instant: Date): string => new Date(instant.getTime() + at.aheadMs).toISOString();
  return {
    message_id: uuidv7(),
    ...encodePaymentIds(subject),
    operation: o.operation,
    operation_id: o.operationId,
    source: o.source,
    psp_code: at.psp,
    psp_reference: verdict.pspReference ?? subject.pspReference,
    status: verdict.status,
    amount_minor: verdict.amountMinor === null ? null : String(toReportedAmount(verdict, subject)),
    currency: verdict.amountMinor === null ? null : subject.currency,
    capture_before: verdict.captureBefore && inTheirTime(verdict.captureBefore),
    failure: verdict.failure,
    observed_at: inTheirTime(at.now),
  };
}

/**
 * A hold in another currency counts as zero in the payment's own: the ledger finds the amount wrong and voids
 * it.
 */
function toReportedAmount({ amountMinor, currency }: CallResult, subject: Subject): bigint | null {
  return currency === null || currency === subject.currency ? amountMinor : 0n;
}

/** Builds the durable message of an outcome; those of one group keep their order. */
export function buildOutcomeMessage(outcome: Outcome, traceparent: string | null | undefined): OutboxMessage {
  return {
    id: outcome.message_id,
    subject: outcomeRecorded.subject,
    groupKey: outcome.group_id,
    mode: outcome.mode,
    payload: outcome,
    ...(traceparent && { traceparent }),
  };
}
