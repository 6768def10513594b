import { setTimeout as delay } from 'node:timers/promises';
import {
  buildPaymentRef,
  type AuthorisationTicket,
  type beginConfirmation as contract,
  type RequestOf,
  type ResponseOf,
} from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { By, Ledger } from './ports.ts';

type Confirm = RequestOf<typeof contract>;
type Begun = ResponseOf<typeof contract>;
type Owner = Pick<Confirm, 'merchant_id' | 'mode'>;

/** A hold is usually decided within a second or two; more frequent queries would only load the ledger. */
const ASK_AGAIN_MS = 250;
/** B1: the seconds after which the caller may retry while the outcome is being queried. */
const UNKNOWN_RETRY_SECONDS = 5;

/**
 * Opens one try to authorise, at most one at a time per intent. Waits for another try in flight (Q13); a try whose
 * outcome is unknown is never followed by a second one (B1). With an address to return to, a try whose payer is awaited at the
 * bank is returned as it was begun: the adapter then names the bank's page again.
 */
export function beginConfirmation(o: {
  ledger: Ledger;
  waitMs: number;
  /** Returns a page to which the bank may send the payer; rejects with `validation_error` for every other address. */
  readReturnAddress: (owner: Owner, address: string) => Promise<string>;
}): (confirm: Confirm, by: By) => Promise<Begun> {
  return async ({ merchant_id, mode, principal, payment_intent_id, return_url }, by) => {
    const back =
      return_url === undefined ? undefined : await o.readReturnAddress({ merchant_id, mode }, return_url);
    const request = { merchant_id, mode, intent_id: payment_intent_id, ...toBoundary(principal) };
    const waitUntil = Math.min(by.deadline - 2 * ASK_AGAIN_MS, Date.now() + o.waitMs);
    for (;;) {
      const answer = await o.ledger.beginAuthorisation(request, by);
      if (answer.status === 'held') return { status: 'held' };
      const isAtBank = back !== undefined && answer.attempt?.psp_reference != null;
      if (answer.status === 'begun' || isAtBank) return { status: 'begun', ticket: toTicket(answer, back) };
      if (answer.status === 'unknown' || Date.now() >= waitUntil)
        throw new AppError('outcome_unknown', { retryAfterSeconds: UNKNOWN_RETRY_SECONDS });
      await delay(ASK_AGAIN_MS);
    }
  };
}

const SESSION = 'session:';

/** A token of one group reaches that group's payments only; the group in the path is mere routing (A10). */
function toBoundary(principal: string): { within_group_id?: string } {
  return principal.startsWith(SESSION) ? { within_group_id: principal.slice(SESSION.length) } : {};
}

function toTicket(
  answer: Awaited<ReturnType<Ledger['beginAuthorisation']>>,
  back: string | undefined,
): AuthorisationTicket {
  const { intent, attempt } = answer;
  if (!attempt) throw new AppError('internal_error', {}, { cause: new Error('a begun try has no attempt') });
  return {
    psp_code: intent.psp_code,
    ...buildPaymentRef(intent, attempt, answer.sandbox_fault),
    merchant_order_id: answer.merchant_order_id,
    ...(back !== undefined && { return_url: back }),
    ...(answer.traceparent !== undefined && { traceparent: answer.traceparent }),
  };
}
