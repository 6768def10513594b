import { expire, HOLD_LIFETIME_MS, type BooksTransaction, type Payment } from '@gp/psp-sandbox/kit';
import type { PaymentC } from './payment.ts';

/** Does nothing: this gateway has no steps that finish later. */
export const settle = (): Promise<void> => Promise.resolve();

const PAST_MS = 2 * 60 * 1000;

/** Ends the hold as after seven days. The gateway sends no callback; only the age of the order shows it. */
export async function lapse(tx: BooksTransaction, found: Payment): Promise<boolean> {
  const payment = found as PaymentC;
  const decision = expire(payment);
  if (!decision.ok) return false;
  const latest = tx.now.getTime() - HOLD_LIFETIME_MS - PAST_MS;
  const answered = Math.min(Date.parse(payment.details.answeredAt ?? ''), latest);
  const details = { ...payment.details, answeredAt: new Date(answered).toISOString() };
  await tx.save({ ...decision.payment, details });
  return true;
}
