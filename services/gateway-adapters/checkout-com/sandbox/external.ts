import {
  type Answer,
  type BooksTransaction,
  type ExternalAction,
  FAITHFUL,
  newId,
  type Payment,
} from '@gp/psp-sandbox/kit';
import { buildEvent } from './callbacks.ts';
import { refusalAnswer } from './errors.ts';
import type { PaymentB } from './payment.ts';
import { acceptStep } from './steps.ts';

/** Performs an action of the merchant, or of a card holder's bank, outside of the platform. */
export async function act(tx: BooksTransaction, found: Payment, action: ExternalAction): Promise<Answer> {
  const payment = found as PaymentB;
  return action === 'dispute' ? dispute(tx, payment) : acceptStep(tx, payment, action, {}, FAITHFUL);
}

async function dispute(tx: BooksTransaction, payment: PaymentB): Promise<Answer> {
  if (payment.status !== 'captured' || payment.isDisputed) return refusalAnswer('refund', 'wrong_state');
  const disputed: PaymentB = { ...payment, isDisputed: true };
  await tx.save(disputed);
  const event = buildEvent(disputed, 'dispute_received', tx.now);
  const { data, ...rest } = event.body as { data: Record<string, unknown> };
  const about = { ...data, id: newId('dsp_'), payment_id: payment.pspReference, category: 'fraudulent' };
  await tx.emit(disputed, [{ ...event, body: { ...rest, data: about } }], FAITHFUL);
  return { status: 200, body: about, outcome: 'ok' };
}
