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
  if (action === 'dispute' || action === 'win_dispute') return dispute(tx, payment, action === 'dispute');
  return acceptStep(tx, payment, action, {}, FAITHFUL);
}

/** Opens a dispute of a captured payment, or ends the open one in the merchant's favour. */
async function dispute(tx: BooksTransaction, payment: PaymentB, isDisputed: boolean): Promise<Answer> {
  if (payment.status !== 'captured' || payment.isDisputed === isDisputed)
    return refusalAnswer('refund', 'wrong_state');
  const disputed: PaymentB = { ...payment, isDisputed };
  await tx.save(disputed);
  const event = buildEvent(disputed, isDisputed ? 'dispute_received' : 'dispute_won', tx.now);
  const { data, ...rest } = event.body as { data: Record<string, unknown> };
  const about = { ...data, id: newId('dsp_'), payment_id: payment.pspReference, category: 'fraudulent' };
  await tx.emit(disputed, [{ ...event, body: { ...rest, data: about } }], FAITHFUL);
  return { status: 200, body: about, outcome: 'ok' };
}
