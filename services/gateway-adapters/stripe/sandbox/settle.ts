import { type Desk, expire, FAITHFUL, finish, type Payment, reverse, type Work } from '@gp/psp-sandbox/kit';
import { refuseCard } from './attempt.ts';
import { buildEvent, buildEvents } from './callbacks.ts';
import { buildAttemptError } from './errors.ts';
import { toUnixSeconds, type PaymentA } from './payment.ts';
import { buildRefund } from './wire.ts';

/** Finishes an accepted step, or reverses it. */
export async function settle(desk: Desk, found: Payment, work: Work): Promise<void> {
  const payment = found as PaymentA;
  if (work.step === 'refund' && work.actionId !== null)
    return settleRefund(desk, payment, work.kind, work.actionId);
  if (work.kind !== 'fail') return;
  switch (work.step) {
    case 'authorise':
      if (payment.pendingStep !== 'authorise') return;
      await refuseCard(desk, payment, 'processing_error', FAITHFUL);
      return desk.settleCall(payment.pspReference, 'authorise', 'declined');
    case 'capture':
      return reverseCapture(desk, payment);
    case 'void':
      return keepHold(desk, payment);
    case 'refund':
    case null:
      return;
  }
}

/** Reverses the capture, as the scheme does: the intent needs another card. */
async function reverseCapture(desk: Desk, payment: PaymentA): Promise<void> {
  const decision = reverse(payment, 'capture', payment.capturedMinor);
  if (!decision.ok) return;
  const details = { ...payment.details, lastError: buildAttemptError('processing_error') };
  const failed: PaymentA = { ...decision.payment, details };
  await desk.save(failed);
  await desk.emit(
    failed,
    buildEvents(failed, ['charge.failed', 'payment_intent.payment_failed'], desk.now),
    FAITHFUL,
  );
}

/** Keeps the hold, because the release has failed after all. */
async function keepHold(desk: Desk, payment: PaymentA): Promise<void> {
  if (payment.pendingStep !== 'void') return;
  const held: PaymentA = { ...payment, pendingStep: null };
  await desk.save(held);
  await desk.settleCall(held.pspReference, 'void', 'failed');
  const types = held.status === 'authorised' ? ['payment_intent.amount_capturable_updated'] : [];
  await desk.emit(held, buildEvents(held, types, desk.now), FAITHFUL);
}

async function settleRefund(
  desk: Desk,
  payment: PaymentA,
  kind: Work['kind'],
  actionId: string,
): Promise<void> {
  const isGood = kind === 'confirm';
  const action = await desk.finishAction(actionId, isGood ? 'succeeded' : 'failed');
  const decision = isGood
    ? finish(payment, 'refund', action.amountMinor, desk.now)
    : reverse(payment, 'refund', action.amountMinor);
  if (!decision.ok) return;
  const after = decision.payment;
  await desk.save(after);
  await desk.settleCall(after.pspReference, 'refund', isGood ? 'ok' : 'failed');
  const types = isGood
    ? ['refund.updated', 'charge.refund.updated']
    : ['refund.failed', 'charge.refund.updated'];
  const events = types.map((type) => buildEvent(after, type, buildRefund(after, action), desk.now));
  const refunded = isGood ? buildEvents(after, ['charge.refunded'], desk.now) : [];
  await desk.emit(after, [...events, ...refunded], FAITHFUL);
}

/** Ends the hold, as after seven days. */
export async function lapse(desk: Desk, found: Payment): Promise<boolean> {
  const payment = found as PaymentA;
  const decision = expire(payment);
  if (!decision.ok) return false;
  const details = { ...payment.details, canceledAt: toUnixSeconds(desk.now), cancellationReason: 'expired' };
  const expired: PaymentA = { ...decision.payment, details };
  await desk.save(expired);
  await desk.emit(
    expired,
    buildEvents(expired, ['charge.expired', 'payment_intent.canceled'], desk.now),
    FAITHFUL,
  );
  return true;
}
