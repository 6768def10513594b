import type { PaymentStatus } from '../bootstrap.ts';
import { answered, type Tokens } from './api.ts';
import type { FetchResult } from './failure.ts';

const PATIENCE_MS = 10_000;

/** Returns a function that reads the status of a payment from checkout. */
export function paymentReader(o: { checkoutUrl: string; groupId: string; tokens: Tokens }) {
  const read = (intentId: string, token: string): Promise<FetchResult<PaymentStatus>> =>
    answered(() =>
      fetch(`${o.checkoutUrl}/v1/group-payments/${o.groupId}/payments/${intentId}`, {
        headers: { Authorization: `Bearer ${token}` },
        cache: 'no-store',
        signal: AbortSignal.timeout(PATIENCE_MS),
        referrerPolicy: 'no-referrer',
      }),
    );
  return async (intentId: string): Promise<FetchResult<PaymentStatus>> => {
    const token = o.tokens.token();
    const answer = await read(intentId, token);
    if (answer.kind !== 'refused' || answer.code !== 'unauthorized') return answer;
    const fresh = await o.tokens.refreshToken(token).catch(() => undefined);
    return fresh === undefined ? answer : read(intentId, fresh);
  };
}
export type ReadPayment = ReturnType<typeof paymentReader>;
