import { randomInt } from 'node:crypto';
import {
  type Action,
  authorise,
  type Conduct,
  decline,
  type DeclineReason,
  type Desk,
  LATER_MS,
  wrongAmountOf,
} from '@gp/psp-sandbox/kit';
import { buildEvent } from './callbacks.ts';
import { APPROVED_RESPONSE, declineResponse } from './errors.ts';
import type { PaymentB } from './payment.ts';
import { acceptStep } from './steps.ts';

/** Declines as the issuer; the payment is over, and another try is another payment. */
export async function refuseCard(
  desk: Desk,
  payment: PaymentB,
  reason: DeclineReason,
  conduct: Conduct,
): Promise<PaymentB> {
  const decision = decline(payment);
  if (!decision.ok) return payment;
  const processedAt = desk.now.toISOString();
  const details = { ...payment.details, response: declineResponse(reason), processedAt, challenge: null };
  const declined: PaymentB = { ...decision.payment, details };
  await desk.save(declined);
  await desk.insertAction(authorisation(declined, 'failed', desk.now));
  await desk.emit(declined, [buildEvent(declined, 'payment_declined', desk.now)], conduct);
  return declined;
}

/** Approves as the issuer: the hold is placed, and captured as soon as possible where the request asked for it. */
export async function holdFunds(desk: Desk, payment: PaymentB, conduct: Conduct): Promise<PaymentB> {
  if (conduct.failsLater) return keepWaiting(desk, payment, conduct);
  const amountMinor = conduct.wrongAmount ? wrongAmountOf(payment.amountMinor) : payment.amountMinor;
  const decision = authorise(payment, amountMinor, desk.now);
  if (!decision.ok) return payment;
  const details = {
    ...payment.details,
    response: APPROVED_RESPONSE,
    authCode: String(randomInt(100_000, 1_000_000)),
    processedAt: desk.now.toISOString(),
    challenge: null,
  };
  const held: PaymentB = { ...decision.payment, details };
  await desk.save(held);
  await desk.insertAction(authorisation(held, 'succeeded', desk.now));
  await desk.emit(held, [buildEvent(held, 'payment_approved', desk.now)], conduct);
  const { gateway, pspReference, holdExpiresAt: dueAt } = held;
  const lapse = { kind: 'lapse', step: null, actionId: null, callbacks: 'plain' } as const;
  if (dueAt) await desk.schedule({ gateway, pspReference, ...lapse, dueAt });
  if (details.captures === 'at_once') await acceptStep(desk, held, 'capture', { amountMinor }, conduct);
  return held;
}

/** Leaves the payment pending; the bank declines it later. */
async function keepWaiting(desk: Desk, payment: PaymentB, conduct: Conduct): Promise<PaymentB> {
  const waiting: PaymentB = { ...payment, pendingStep: 'authorise' };
  await desk.save(waiting);
  const { gateway, pspReference } = waiting;
  const dueAt = new Date(desk.now.getTime() + LATER_MS);
  const { callbacks } = conduct;
  await desk.schedule({
    gateway,
    pspReference,
    kind: 'fail',
    step: 'authorise',
    actionId: null,
    callbacks,
    dueAt,
  });
  await desk.emit(waiting, [buildEvent(waiting, 'payment_pending', desk.now)], conduct);
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
