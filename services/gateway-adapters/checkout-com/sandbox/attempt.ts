import { randomInt } from 'node:crypto';
import {
  type Action,
  authorise,
  type Conduct,
  decline,
  type DeclineReason,
  type BooksTransaction,
  LATER_MS,
  computeWrongAmount,
} from '@gp/psp-sandbox/kit';
import { buildEvent } from './callbacks.ts';
import { APPROVED_RESPONSE, declineResponse } from './errors.ts';
import type { PaymentB } from './payment.ts';
import { acceptStep } from './steps.ts';

/** Declines as the issuer; the payment is over, and another try is another payment. */
export async function refuseCard(
  tx: BooksTransaction,
  payment: PaymentB,
  reason: DeclineReason,
  conduct: Conduct,
): Promise<PaymentB> {
  const decision = decline(payment);
  if (!decision.ok) return payment;
  const processedAt = tx.now.toISOString();
  const details = { ...payment.details, response: declineResponse(reason), processedAt, challenge: null };
  const declined: PaymentB = { ...decision.payment, details };
  await tx.save(declined);
  await tx.insertAction(authorisation(declined, 'failed', tx.now));
  await tx.emit(declined, [buildEvent(declined, 'payment_declined', tx.now)], conduct);
  return declined;
}

/** Approves as the issuer: the hold is placed, and captured as soon as possible where the request asked for it. */
export async function holdFunds(
  tx: BooksTransaction,
  payment: PaymentB,
  conduct: Conduct,
): Promise<PaymentB> {
  if (conduct.failsLater) return keepWaiting(tx, payment, conduct);
  const amountMinor = conduct.wrongAmount ? computeWrongAmount(payment.amountMinor) : payment.amountMinor;
  const decision = authorise(payment, amountMinor, tx.now);
  if (!decision.ok) return payment;
  const details = {
    ...payment.details,
    response: APPROVED_RESPONSE,
    authCode: String(randomInt(100_000, 1_000_000)),
    processedAt: tx.now.toISOString(),
    challenge: null,
  };
  const held: PaymentB = { ...decision.payment, details };
  await tx.save(held);
  await tx.insertAction(authorisation(held, 'succeeded', tx.now));
  await tx.emit(held, [buildEvent(held, 'payment_approved', tx.now)], conduct);
  const { gateway, pspReference, holdExpiresAt: dueAt } = held;
  const lapse = { kind: 'lapse', step: null, actionId: null, callbacks: 'plain' } as const;
  if (dueAt) await tx.schedule({ gateway, pspReference, ...lapse, dueAt });
  if (details.captures === 'at_once') await acceptStep(tx, held, 'capture', { amountMinor }, conduct);
  return held;
}

/** Leaves the payment pending; the bank declines it later. */
async function keepWaiting(tx: BooksTransaction, payment: PaymentB, conduct: Conduct): Promise<PaymentB> {
  const waiting: PaymentB = { ...payment, pendingStep: 'authorise' };
  await tx.save(waiting);
  const { gateway, pspReference } = waiting;
  const dueAt = new Date(tx.now.getTime() + LATER_MS);
  const { callbacks } = conduct;
  await tx.schedule({
    gateway,
    pspReference,
    kind: 'fail',
    step: 'authorise',
    actionId: null,
    callbacks,
    dueAt,
  });
  await tx.emit(waiting, [buildEvent(waiting, 'payment_pending', tx.now)], conduct);
  return waiting;
}

function authorisation(p: PaymentB, status: Action['status'], now: Date): Action {
  return {
    id: p.details.actionId,
    pspReference: p.pspReference,
    type: 'authorise',
    amountMinor: status === 'succeeded' ? p.authorisedMinor : p.amountMinor,
    status,
    reference: p.reference,
    metadata: {},
    reason: null,
    createdAt: now,
  };
}
