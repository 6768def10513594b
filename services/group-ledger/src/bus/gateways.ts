import type { Bus } from '@gp/bus';
import { MAX_ASKED, readBooks, type BookedPayment } from '@gp/contracts';
import type { ReconcileParts } from '../app/reconciliation/reconcile.ts';

/** A chunk of queries is a second of an account's budget, in which captures and voids go first. */
const TIMEOUT_MS = 60_000;

/** Queries a run's adapter about payments, one chunk after the other. */
export function readGatewayBooks(bus: Bus): ReconcileParts['readBooks'] {
  return async (run, payments) => {
    const answers: BookedPayment[] = [];
    for (let at = 0; at < payments.length; at += MAX_ASKED) {
      const request = {
        merchant_id: run.merchant_id,
        mode: run.mode,
        payments: payments.slice(at, at + MAX_ASKED).map((row) => ({
          group_id: row.group_id,
          intent_id: row.intent_id,
          attempt_id: row.attempt_id,
          psp_reference: row.psp_reference,
          amount_minor: row.amount_minor.toString(),
          currency: row.currency,
          credential_version: row.credential_version,
          awaited: [...row.awaited],
        })),
      };
      const answer = await bus.call(readBooks(run.psp_code), request, { timeoutMs: TIMEOUT_MS });
      answers.push(...answer.payments);
    }
    return answers;
  };
}
