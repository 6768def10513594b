import type { PaymentStatus } from '../bootstrap.ts';
import { ask, type Tokens } from './api.ts';
import type { FetchResult } from './failure.ts';

const PATIENCE_MS = 10_000;

/** Returns a function that reads the status of a payment from checkout. */
export function paymentReader(o: { checkoutUrl: string; groupId: string; tokens: Tokens }) {
  const base = `${o.checkoutUrl}/v1/group-payments/${o.groupId}/payments/`;
  return (intentId: string): Promise<FetchResult<PaymentStatus>> =>
    ask(o.tokens, base + intentId, PATIENCE_MS);
}
export type ReadPayment = ReturnType<typeof paymentReader>;
