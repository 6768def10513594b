import type { HttpRequest } from '@gp/http';
import {
  type Call,
  type CallOperation,
  type BooksTransaction,
  type Dialect,
  isSameSecret,
  type Stage,
} from '@gp/psp-sandbox/kit';
import { Senseless } from './errors.ts';
import type { PaymentC } from './payment.ts';
import type { Message } from './request.ts';

/** Returns the order of a message, when this terminal owns it; undefined for any other. */
export async function findOrder({ books }: Stage, message: Message): Promise<PaymentC | undefined> {
  const payment = (await books.find('gateway_c', message.order)) as PaymentC | undefined;
  const isOwn = payment?.account === message.account.account && payment.details.terminal === message.terminal;
  return isOwn ? payment : undefined;
}

/** Returns the order whose page a browser has open; undefined when it does not know the page's token. */
export async function findOpenPage({ books }: Stage, { params }: HttpRequest): Promise<PaymentC | undefined> {
  const payment = (await books.find('gateway_c', params['order'] ?? '')) as PaymentC | undefined;
  return payment && isSameSecret(params['token'] ?? '', payment.details.token) ? payment : undefined;
}

/** Locks the payment and returns its current state, which may be newer than when the request came in. */
export async function lockOrder(tx: BooksTransaction, order: string): Promise<PaymentC> {
  const payment = await tx.lock('gateway_c', order);
  if (payment === undefined) throw new Senseless('SIS0059');
  return payment as PaymentC;
}

/** Returns a call about an order that exists. */
export function callAbout(
  subject: PaymentC,
  operation: CallOperation,
  { signal }: HttpRequest,
  dialect: Dialect,
): Call {
  return { operation, subject, idempotent: undefined, dialect, signal };
}
