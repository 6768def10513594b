import {
  type Answer,
  type Desk,
  type ExternalAction,
  FAITHFUL,
  newId,
  type Payment,
} from '@gp/psp-sandbox/kit';
import { buildEvent } from './callbacks.ts';
import { captureNow } from './capture.ts';
import { refusalAnswer } from './errors.ts';
import { buildChargeId, toUnixSeconds, type PaymentA } from './payment.ts';
import { refundNow } from './refund.ts';
import { voidNow } from './void.ts';

/** Performs an action of the merchant, or of a card holder's bank, outside of the platform. */
export async function act(desk: Desk, found: Payment, action: ExternalAction): Promise<Answer> {
  const payment = found as PaymentA;
  switch (action) {
    case 'capture':
      return captureNow(desk, payment, undefined, FAITHFUL);
    case 'void':
      return voidNow(desk, payment, 'requested_by_customer', FAITHFUL);
    case 'refund':
      return refundNow(desk, payment, { amount: undefined, reason: null, metadata: {} }, FAITHFUL);
    case 'dispute':
      return dispute(desk, payment);
  }
}

async function dispute(desk: Desk, payment: PaymentA): Promise<Answer> {
  if (payment.status !== 'captured') return refusalAnswer(payment, 'dispute', 'wrong_state');
  if (payment.isDisputed) return refusalAnswer(payment, 'dispute', 'disputed');
  const disputed: PaymentA = { ...payment, isDisputed: true };
  await desk.save(disputed);
  const body = {
    id: newId('dp_'),
    object: 'dispute',
    amount: Number(payment.capturedMinor),
    charge: buildChargeId(payment),
    created: toUnixSeconds(desk.now),
    currency: payment.currency,
    livemode: false,
    metadata: {},
    payment_intent: payment.pspReference,
    reason: 'fraudulent',
    status: 'needs_response',
  };
  await desk.emit(disputed, [buildEvent(disputed, 'charge.dispute.created', body, desk.now)], FAITHFUL);
  return { status: 200, body, outcome: 'ok' };
}
