import type { PaymentStatus } from '../bootstrap.ts';
import { ask, type Tokens } from './api.ts';
import type { FetchResult } from './failure.ts';

const PATIENCE_MS = 10_000;

/** Returns the calls about a payment to checkout: what reads its status, and what hides the payer's name from the others. */
export function ownPayments(o: { checkoutUrl: string; groupId: string; tokens: Tokens }) {
  const base = `${o.checkoutUrl}/v1/group-payments/${o.groupId}/payments/`;
  return {
    readPayment: (intentId: string): Promise<FetchResult<PaymentStatus>> =>
      ask(o.tokens, base + intentId, PATIENCE_MS),
    hideName: (intentId: string): Promise<FetchResult<unknown>> =>
      ask(o.tokens, `${base + intentId}/shown-name`, PATIENCE_MS, { method: 'DELETE' }),
  };
}
export type OwnPayments = ReturnType<typeof ownPayments>;
