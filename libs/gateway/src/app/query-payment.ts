import { insertOutbox } from '@gp/outbox';
import { currentTraceparent } from '@gp/telemetry';
import type { Adapter } from '../adapter.ts';
import { listPaymentCalls, lockPaymentCalls } from '../db/gateway-calls.ts';
import { listExternalAmounts } from '../db/external-amounts.ts';
import { buildFailure } from '../domain/failure.ts';
import type { Payment, Truth } from '../domain/payment.ts';
import { findNewest } from '../domain/gateway-call.ts';
import { buildResult, type CallResult } from '../domain/call-result.ts';
import { ask, locate } from './ask.ts';
import { settle } from './conclude.ts';
import { applyTruth } from './apply-truth.ts';
import { buildOutcomeMessage, buildOutcome, type Subject } from './report.ts';

export type Question = {
  readonly payment: Payment;
  readonly credentialVersion: number;
  /** The ledger's attempt, which the reply names. */
  readonly operationId: string;
};

/** The ledger's own schedule of queries resolves it later (B1). */
const unknown = buildResult('unknown', 'doubt');

/** Statuses that do not decide about a hold yet, so that the query still needs a reply. */
const OPEN: readonly Truth['status'][] = ['awaiting_payer', 'processing'];

/**
 * Replies to the ledger's query of a payment, always with an outcome of authorise; further facts at the gateway
 * (a capture, a refund) are reported along with it.
 */
export function queryPayment<C>(adapter: Adapter<C>): (question: Question) => Promise<void> {
  return async ({ payment, credentialVersion: version, operationId }) => {
    const { merchantId, mode } = payment;
    const account = await adapter.accounts.get({ merchantId, mode, version });
    const before = await listPaymentCalls(adapter.db, payment.attemptId);
    const externalBefore = await listExternalAmounts(adapter.db, payment.attemptId);
    const located = await locate(adapter, payment);
    const subject = { ...located, currency: payment.currency.code };
    const asked = await ask(adapter, located, account);
    if (asked.kind === 'found') {
      const { truth } = asked;
      if (OPEN.includes(truth.status)) return answer(adapter, { subject, operationId }, unknown);
      await applyTruth(adapter, {
        subject,
        truth,
        source: 'query',
        before,
        externalBefore,
        question: operationId,
      });
      return;
    }
    const failure = buildFailure('authorisation_absent');
    const known = asked.kind === 'absent' ? buildResult('absent', 'fail', { failure }) : unknown;
    return answer(adapter, { subject, operationId }, known);
  };
}

async function answer<C>(
  adapter: Adapter<C>,
  o: { subject: Subject; operationId: string },
  known: CallResult,
): Promise<void> {
  const outcome = await buildOutcome(adapter, {
    ...o,
    operation: 'authorise',
    source: 'query',
    verdict: known,
  });
  await adapter.db.transaction(async (tx) => {
    const rows = await lockPaymentCalls(tx, o.subject.attemptId);
    const row = findNewest(rows, 'authorise');
    if (row) await settle(tx, row, known);
    await insertOutbox(tx, [buildOutcomeMessage(outcome, currentTraceparent())]);
  });
  adapter.wakeRelay();
}
