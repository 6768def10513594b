import {
  type BooksTransaction,
  expire,
  FAITHFUL,
  finish,
  type Payment,
  reverse,
  type Work,
} from '@gp/psp-sandbox/kit';
import { refuseCard } from './attempt.ts';
import { buildEvent, buildEvents } from './callbacks.ts';
import { buildAttemptError } from './errors.ts';
import { toUnixSeconds, type PaymentA } from './payment.ts';
import { buildRefund } from './wire.ts';

/** Finishes an accepted step, or reverses it. */
export async function settle(tx: BooksTransaction, found: Payment, work: Work): Promise<void> {
  const payment = found as PaymentA;
  if (work.step === 'refund' && work.actionId !== null)
    return settleRefund(tx, payment, work.kind, work.actionId);
  if (work.kind !== 'fail') return;
  switch (work.step) {
    case 'authorise':
      if (payment.pendingStep !== 'authorise') return;
      await refuseCard(tx, payment, 'processing_error', FAITHFUL);
      return tx.settleCall(payment.pspReference, 'authorise', 'declined');
    case 'capture':
      return reverseCapture(tx, payment);
    case 'void':
      return keepHold(tx, payment);
    case 'refund':
    case null:
      return;
  }
}

/** Reverses the capture, as the scheme does: the intent needs another card. */
async function reverseCapture(tx: BooksTransaction, payment: PaymentA): Promise<void> {
  const decision = reverse(payment, 'capture', payment.capturedMinor);
  if (!decision.ok) return;
  const details = { ...payment.details, lastError: buildAttemptError('processing_error') };
  const failed: PaymentA = { ...decision.payment, details };
  await tx.save(failed);
  await tx.emit(
    failed,
    buildEvents(failed, ['charge.failed', 'payment_intent.payment_failed'], tx.now),
    FAITHFUL,
  );
}

/** Keeps the hold, because the release has failed after all. */
async function keepHold(tx: BooksTransaction, payment: PaymentA): Promise<void> {
  if (payment.pendingStep !== 'void') return;
  const held: PaymentA = { ...payment, pendingStep: null };
  await tx.save(held);
  await tx.settleCall(held.pspReference, 'void', 'failed');
  const types = held.status === 'authorised' ? ['payment_intent.amount_capturable_updated'] : [];
  await tx.emit(held, buildEvents(held, types, tx.now), FAITHFUL);
}

async function settleRefund(
  tx: BooksTransaction,
  payment: PaymentA,
  kind: Work['kind'],
  actionId: string,
): Promise<void> {
  const isGood = kind === 'confirm';
  const action = await tx.finishAction(actionId, isGood ? 'succeeded' : 'failed');
  const decision = isGood
    ? finish(payment, 'refund', action.amountMinor, tx.now)
    : reverse(payment, 'refund', action.amountMinor);
  if (!decision.ok) return;
  const after = decision.payment;
  await tx.save(after);
  await tx.settleCall(after.pspReference, 'refund', isGood ? 'ok' : 'failed');
  const types = isGood
    ? ['refund.updated', 'charge.refund.updated']
    : ['refund.failed', 'charge.refund.updated'];
  const events = types.map((type) => buildEvent(after, type, buildRefund(after, action), tx.now));
  const refunded = isGood ? buildEvents(after, ['charge.refunded'], tx.now) : [];
  await tx.emit(after, [...events, ...refunded], FAITHFUL);
}

/** Ends the hold, as after seven days. */
export async function lapse(tx: BooksTransaction, found: Payment): Promise<boolean> {
  const payment = found as PaymentA;
  const decision = expire(payment);
  if (!decision.ok) return false;
  const details = { ...payment.details, canceledAt: toUnixSeconds(tx.now), cancellationReason: 'expired' };
  const expired: PaymentA = { ...decision.payment, details };
  await tx.save(expired);
  await tx.emit(
    expired,
    buildEvents(expired, ['charge.expired', 'payment_intent.canceled'], tx.now),
    FAITHFUL,
  );
  return true;
}
