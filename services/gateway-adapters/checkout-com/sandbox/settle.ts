import {
  type BooksTransaction,
  expire,
  FAITHFUL,
  finish,
  type Payment,
  type Work,
} from '@gp/psp-sandbox/kit';
import { refuseCard } from './attempt.ts';
import { buildEvent, type EventType } from './callbacks.ts';
import type { PaymentB } from './payment.ts';
import { toOutcomeConduct, type Step } from './steps.ts';

const DONE: Readonly<Record<Step, EventType>> = {
  capture: 'payment_captured',
  void: 'payment_voided',
  refund: 'payment_refunded',
};

const FAILED: Readonly<Record<Step, EventType>> = {
  capture: 'payment_capture_declined',
  void: 'payment_void_declined',
  refund: 'payment_refund_declined',
};

/** Finishes an accepted step, or lets it fail. */
export async function settle(tx: BooksTransaction, found: Payment, work: Work): Promise<void> {
  const payment = found as PaymentB;
  const { step, actionId } = work;
  if (step === null || payment.pendingStep !== step) return;
  if (step === 'authorise') {
    await refuseCard(
      tx,
      { ...payment, pendingStep: null },
      'processing_error',
      toOutcomeConduct(work.callbacks),
    );
    return tx.settleCall(payment.pspReference, 'authorise', 'declined');
  }
  if (actionId !== null) await settleStep(tx, payment, work, step, actionId);
}

async function settleStep(
  tx: BooksTransaction,
  payment: PaymentB,
  work: Work,
  step: Step,
  actionId: string,
): Promise<void> {
  const open: PaymentB = { ...payment, pendingStep: null };
  const action = await tx.finishAction(actionId, work.kind === 'confirm' ? 'succeeded' : 'failed');
  const decision = work.kind === 'confirm' ? finish(open, step, action.amountMinor, tx.now) : undefined;
  const after = decision?.ok ? decision.payment : open;
  const settled = decision?.ok ? action : await tx.finishAction(actionId, 'failed');
  await tx.save(after);
  await tx.settleCall(after.pspReference, step, decision?.ok ? 'ok' : 'failed');
  const type = decision?.ok ? DONE[step] : FAILED[step];
  await tx.emit(after, [buildEvent(after, type, tx.now, settled)], toOutcomeConduct(work.callbacks));
}

/** Ends the hold, as after seven days. */
export async function lapse(tx: BooksTransaction, found: Payment): Promise<boolean> {
  const decision = expire(found as PaymentB);
  if (!decision.ok) return false;
  await tx.save(decision.payment);
  await tx.emit(decision.payment, [buildEvent(decision.payment, 'payment_expired', tx.now)], FAITHFUL);
  return true;
}
