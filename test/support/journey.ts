import { setTimeout as delay } from 'node:timers/promises';
import { TimeoutError } from '@gp/testing';
import { merchantApi, type Group, type MerchantApi, type Pay } from './api.ts';
import { bookedPayments, type BookedPayment } from './books.ts';
import { authorise, cards, type Payer } from './payer.ts';
import type { Merchant, StackFile } from './stack.ts';

/** A payer whose name says nothing to anybody. */
export function payer(name: string, card: string = cards.approved): Payer {
  return { email: `${name}@payers.example`, name: `${name} Example`, card };
}

export function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}

/**
 * Does what has to be done before something expires, so many seconds from now. Where the machine was too busy to have it
 * done by then, the same begins anew with twice the time: the expiry has to come after it, not at a certain speed.
 */
export async function beforeExpiry<T>(
  seconds: number,
  prepare: (expires_at: string, seconds: number) => Promise<T>,
): Promise<T> {
  const expires_at = inSeconds(seconds);
  const isOver = () => Date.now() >= Date.parse(expires_at);
  try {
    const prepared = await prepare(expires_at, seconds);
    if (!isOver()) return prepared;
  } catch (error) {
    if (!isOver()) throw error;
  }
  if (seconds > LONGEST_SECONDS) throw new TimeoutError(`nothing could be prepared within ${seconds} s`);
  return beforeExpiry(2 * seconds, prepare);
}

const LONGEST_SECONDS = 60;

export function openApi(stack: StackFile, merchant: Merchant): MerchantApi {
  return merchantApi(stack.api, merchant.test_key);
}

/** A group of equal shares of 10.00 EUR. */
export function newGroup(api: MerchantApi, slots: number, o: Record<string, unknown> = {}): Promise<Group> {
  return api.createGroup({
    group_name: 'Journey',
    total_amount: slots * 10,
    currency: 'EUR',
    expires_at: inSeconds(3_600),
    distribution: { type: 'equally', number_of_slots: slots },
    ...o,
  });
}

/** Takes one slot and has the card authorised. */
export async function paySlot(
  stack: StackFile,
  api: MerchantApi,
  group: Group,
  index: number,
  who: Payer,
): Promise<Pay> {
  const { id } = group.group_payment;
  const slot_ids = [group.payment_slots[index]?.id];
  const pay = await api.pay(id, { customer_email: who.email, customer_name: who.name, slot_ids });
  await authorise(stack, api, id, pay, who);
  return pay;
}

/** Waits until the gateway's books show this payment as wanted, and returns their entry. */
export async function booksShow(
  stack: StackFile,
  pay: Pick<Pay, 'psp_code' | 'payment_intent_id'>,
  status: string,
  withinMs = 60_000,
): Promise<BookedPayment> {
  for (const giveUpAt = Date.now() + withinMs; ; await delay(100)) {
    const payments = await bookedPayments(stack, pay.psp_code, pay.payment_intent_id);
    const held = payments.filter((payment) => Number(payment.authorised_minor) > 0);
    if (held.length > 1) throw new Error(`${held.length} holds for payment ${pay.payment_intent_id}`);
    if (held[0]?.status === status) return held[0];
    if (Date.now() > giveUpAt)
      throw new TimeoutError(
        `the books of ${pay.psp_code} show ${held[0]?.status ?? 'no hold'}, not ${status}`,
      );
  }
}

/** How many calls of an operation took effect at the gateway. */
export function effects(payment: BookedPayment, operation: string): number {
  return payment.calls.filter((call) => call.operation === operation && call.outcome === 'ok').length;
}
