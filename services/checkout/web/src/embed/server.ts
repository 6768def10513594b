import type { Bootstrap } from '../bootstrap.ts';
import { answered } from '../net/api.ts';
import type { FetchResult } from '../net/failure.ts';

/** The reason the server refused to start the form; `status` 0 when it did not answer. */
export class Refused extends Error {
  declare readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const PATIENCE_MS = 15_000;
/** The redirect to the bank waits no longer than this for the return address to be stored. */
const RETURN_PATIENCE_MS = 4_000;

/**
 * Returns the data the form starts with, in the language of the frame: its address is asked the same. Rejects with Refused: 401 for a token that has ended, 404 for an origin
 * of another merchant.
 */
export async function admit(o: { token: string; origin: string }): Promise<Bootstrap> {
  const { token, origin } = o;
  const answer = await post<Bootstrap>(
    `/embed/v1/admissions${location.search}`,
    token,
    { origin },
    PATIENCE_MS,
  );
  if (answer.kind === 'ok') return answer.body;
  if (answer.kind === 'unanswered') throw new Refused(0, 'The payment form could not be reached.');
  if (answer.status === 404)
    throw new Refused(404, `${origin} is not a registered origin of the merchant whose session this is.`);
  throw new Refused(answer.status, `The payment form answered ${answer.status}.`);
}

/** Stores the merchant's page to which a payer returns from the bank. */
export async function keepReturnAddress(o: {
  token: string;
  paymentIntentId: string;
  pageUrl: string;
}): Promise<void> {
  const address = { payment_intent_id: o.paymentIntentId, return_url: o.pageUrl };
  await post('/embed/v1/returns', o.token, address, RETURN_PATIENCE_MS);
}

function post<T>(path: string, token: string, body: object, patienceMs: number): Promise<FetchResult<T>> {
  return answered(patienceMs, (signal) =>
    fetch(path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal,
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
    }),
  );
}
