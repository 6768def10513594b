import { randomInt } from 'node:crypto';
import {
  authorise,
  type Conduct,
  decline,
  type BooksTransaction,
  computeWrongAmount,
} from '@gp/psp-sandbox/kit';
import { buildNotification } from './callbacks.ts';
import { APPROVED_RESPONSE } from './errors.ts';
import type { PaymentC } from './payment.ts';

/** Denies the authorisation; the order is used up, and another try is another order. */
export async function refuseOrder(
  tx: BooksTransaction,
  payment: PaymentC,
  response: string,
  conduct: Conduct,
): Promise<PaymentC> {
  const decision = decline(payment);
  if (!decision.ok) return payment;
  const details = { ...payment.details, response, answeredAt: tx.now.toISOString() };
  const declined: PaymentC = { ...decision.payment, details };
  await tx.save(declined);
  await notify(tx, declined, declined.amountMinor, response, conduct);
  return declined;
}

/** Approves as the issuer: the amount is held for seven days. */
export async function holdFunds(
  tx: BooksTransaction,
  payment: PaymentC,
  conduct: Conduct,
): Promise<PaymentC> {
  const amountMinor = conduct.wrongAmount ? computeWrongAmount(payment.amountMinor) : payment.amountMinor;
  const decision = authorise(payment, amountMinor, tx.now);
  if (!decision.ok) return payment;
  const details = {
    ...payment.details,
    response: APPROVED_RESPONSE,
    authCode: String(randomInt(100_000, 1_000_000)),
    answeredAt: tx.now.toISOString(),
  };
  const held: PaymentC = { ...decision.payment, details };
  await tx.save(held);
  await notify(tx, held, amountMinor, APPROVED_RESPONSE, conduct);
  const { gateway, pspReference, holdExpiresAt: dueAt } = held;
  const lapse = { kind: 'lapse', step: null, actionId: null, callbacks: 'plain' } as const;
  if (dueAt) await tx.schedule({ gateway, pspReference, ...lapse, dueAt });
  return held;
}

/** Notifies once, and only where the order names an address. */
async function notify(
  tx: BooksTransaction,
  payment: PaymentC,
  amountMinor: bigint,
  response: string,
  conduct: Conduct,
): Promise<void> {
  if (payment.details.notifyUrl === null) return;
  const result = { type: '1', amountMinor, response };
  await tx.emit(payment, [buildNotification(payment, result, tx.now)], conduct);
}
