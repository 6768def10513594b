import type { HttpRequest } from '@gp/http';
import type { Call, CallOperation, BooksTransaction, IdempotentCall, Stage } from '@gp/psp-sandbox/kit';
import { dialect, missing } from './errors.ts';
import type { PaymentB } from './payment.ts';

/** Returns the payment, when the caller's channel owns it. */
export async function findPayment({ books }: Stage, channel: string, id: string): Promise<PaymentB> {
  const payment = (await books.find('gateway_b', id)) as PaymentB | undefined;
  if (payment?.account !== channel) throw missing();
  return payment;
}

/** Locks the payment and returns its current state, which may be newer than when the request came in. */
export async function lockPayment(tx: BooksTransaction, id: string): Promise<PaymentB> {
  const payment = await tx.lock('gateway_b', id);
  if (payment === undefined) throw missing();
  return payment as PaymentB;
}

/** Returns a call about a payment that exists. */
export function callAbout(
  payment: PaymentB,
  operation: CallOperation,
  request: HttpRequest,
  idempotent?: IdempotentCall,
): Call {
  return { operation, subject: payment, idempotent, dialect, signal: request.signal };
}
