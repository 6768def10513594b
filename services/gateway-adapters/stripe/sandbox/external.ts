import {
  type Answer,
  type BooksTransaction,
  type ExternalAction,
  FAITHFUL,
  type Payment,
} from '@gp/psp-sandbox/kit';
import { buildEvent } from './callbacks.ts';
import { captureNow } from './capture.ts';
import { buildDispute } from './dispute.ts';
import { refusalAnswer } from './errors.ts';
import { wasDisputed, type PaymentA } from './payment.ts';
import { refundNow } from './refund.ts';
import { voidNow } from './void.ts';

/** Performs an action of the merchant, or of a card holder's bank, outside of the platform. */
export async function act(tx: BooksTransaction, found: Payment, action: ExternalAction): Promise<Answer> {
  const payment = found as PaymentA;
  switch (action) {
    case 'capture':
      return captureNow(tx, payment, undefined, FAITHFUL);
    case 'void':
      return voidNow(tx, payment, 'requested_by_customer', FAITHFUL);
    case 'refund':
      return refundNow(tx, payment, { amount: undefined, reason: null, metadata: {} }, FAITHFUL);
    case 'dispute':
      return dispute(tx, payment);
    case 'win_dispute':
      return winDispute(tx, payment);
  }
}

async function dispute(tx: BooksTransaction, payment: PaymentA): Promise<Answer> {
  if (payment.status !== 'captured') return refusalAnswer(payment, 'dispute', 'wrong_state');
  if (wasDisputed(payment)) return refusalAnswer(payment, 'dispute', 'disputed');
  const disputed: PaymentA = { ...payment, isDisputed: true };
  return saveDispute(tx, disputed, 'charge.dispute.created');
}

async function winDispute(tx: BooksTransaction, payment: PaymentA): Promise<Answer> {
  if (!payment.isDisputed) return refusalAnswer(payment, 'dispute', 'wrong_state');
  const details = { ...payment.details, hasWonDispute: true } as const;
  return saveDispute(tx, { ...payment, isDisputed: false, details }, 'charge.dispute.closed');
}

async function saveDispute(
  tx: BooksTransaction,
  payment: PaymentA,
  event: 'charge.dispute.created' | 'charge.dispute.closed',
): Promise<Answer> {
  await tx.save(payment);
  const body = buildDispute(payment);
  await tx.emit(payment, [buildEvent(payment, event, body, tx.now)], FAITHFUL);
  return { status: 200, body, outcome: 'ok' };
}
