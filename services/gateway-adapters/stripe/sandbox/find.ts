import type { HttpRequest } from '@gp/http';
import {
  type Call,
  type CallOperation,
  type BooksTransaction,
  type IdempotentCall,
  isSameSecret,
  type Stage,
} from '@gp/psp-sandbox/kit';
import type { Caller } from './account.ts';
import { dialect, missing, unauthenticated } from './errors.ts';
import type { PaymentA } from './payment.ts';

/** Returns the intent, when the caller's account owns it; a browser must also know its client secret. */
export async function findIntent(
  { books }: Stage,
  { scope, isBrowser }: Caller,
  id: string,
  clientSecret: string | undefined,
): Promise<PaymentA> {
  const payment = (await books.find('gateway_a', id)) as PaymentA | undefined;
  if (payment?.account !== scope) throw missing('payment_intent', id, 'intent');
  if (isBrowser && clientSecret === undefined) {
    throw unauthenticated('A publishable key needs the client_secret of the PaymentIntent.');
  }
  if (clientSecret !== undefined && !isSameSecret(clientSecret, payment.details.clientSecret)) {
    throw missing('payment_intent', id, 'intent');
  }
  return payment;
}

/** Locks the payment and returns its current state, which may be newer than when the request came in. */
export async function lockIntent(tx: BooksTransaction, id: string): Promise<PaymentA> {
  const payment = await tx.lock('gateway_a', id);
  if (payment === undefined) throw missing('payment_intent', id, 'intent');
  return payment as PaymentA;
}

/** Returns a call about an intent that exists. */
export function callAbout(
  payment: PaymentA,
  operation: CallOperation,
  request: HttpRequest,
  idempotent?: IdempotentCall,
): Call {
  return { operation, subject: payment, idempotent, dialect, signal: request.signal };
}
