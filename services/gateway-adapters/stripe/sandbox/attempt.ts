import {
  type Answer,
  authorise,
  type Conduct,
  decline,
  type DeclineReason,
  type Desk,
  finish,
  LATER_MS,
  wrongAmountOf,
} from '@gp/psp-sandbox/kit';
import { buildEvents } from './callbacks.ts';
import { buildAttemptError, declinedAnswer, refusalAnswer } from './errors.ts';
import { toUnixSeconds, type PaymentA } from './payment.ts';
import { buildPaymentIntent } from './wire.ts';

/** The result of an attempt, with the payment in its current state. */
export type Attempt = { readonly payment: PaymentA; readonly answer: Answer };

/** Declines as the issuer: the intent waits for another card. */
export async function refuseCard(
  desk: Desk,
  payment: PaymentA,
  reason: DeclineReason,
  conduct: Conduct,
): Promise<Attempt> {
  const lastError = buildAttemptError(reason);
  const decision = decline(payment);
  if (!decision.ok) return { payment, answer: refusalAnswer(payment, 'confirm', decision.refusal) };
  const details = { ...payment.details, lastError, challenge: null };
  const declined: PaymentA = { ...decision.payment, details };
  await desk.save(declined);
  await desk.emit(
    declined,
    buildEvents(declined, ['charge.failed', 'payment_intent.payment_failed'], desk.now),
    conduct,
  );
  return { payment: declined, answer: declinedAnswer(declined, lastError) };
}

/** Approves as the issuer: the hold is placed, and captured at once where the intent asks for it. */
export async function holdFunds(desk: Desk, payment: PaymentA, conduct: Conduct): Promise<Attempt> {
  if (conduct.failsLater) return keepWaiting(desk, payment, conduct);
  const amountMinor = conduct.wrongAmount ? wrongAmountOf(payment.amountMinor) : payment.amountMinor;
  const decision = authorise(
    { ...payment, details: { ...payment.details, challenge: null, lastError: null } },
    amountMinor,
    desk.now,
  );
  if (!decision.ok) return { payment, answer: refusalAnswer(payment, 'confirm', decision.refusal) };
  const { payment: held } = decision;
  if (held.details.captureMethod !== 'manual') return takeAtOnce(desk, held, conduct);
  await desk.save(held);
  const { gateway, pspReference, holdExpiresAt } = held;
  if (holdExpiresAt) {
    await desk.schedule({
      gateway,
      pspReference,
      kind: 'lapse',
      step: null,
      actionId: null,
      callbacks: 'plain',
      dueAt: holdExpiresAt,
    });
  }
  const types = ['charge.succeeded', 'payment_intent.amount_capturable_updated'];
  await desk.emit(held, buildEvents(held, types, desk.now), conduct);
  return { payment: held, answer: done(held) };
}

async function takeAtOnce(desk: Desk, held: PaymentA, conduct: Conduct): Promise<Attempt> {
  const decision = finish(held, 'capture', held.authorisedMinor, desk.now);
  if (!decision.ok) return { payment: held, answer: refusalAnswer(held, 'confirm', decision.refusal) };
  const { payment: captured } = decision;
  await desk.save(captured);
  await desk.emit(
    captured,
    buildEvents(captured, ['charge.succeeded', 'payment_intent.succeeded'], desk.now),
    conduct,
  );
  return { payment: captured, answer: done(captured) };
}

/** Leaves the attempt pending; the bank declines it later. */
async function keepWaiting(desk: Desk, payment: PaymentA, conduct: Conduct): Promise<Attempt> {
  const details = { ...payment.details, challenge: null, lastError: null };
  const waiting: PaymentA = { ...payment, details, pendingStep: 'authorise' };
  await desk.save(waiting);
  const { gateway, pspReference } = waiting;
  const dueAt = new Date(desk.now.getTime() + LATER_MS);
  await desk.schedule({
    gateway,
    pspReference,
    kind: 'fail',
    step: 'authorise',
    actionId: null,
    callbacks: 'plain',
    dueAt,
  });
  await desk.emit(waiting, buildEvents(waiting, ['payment_intent.processing'], desk.now), conduct);
  return { payment: waiting, answer: { ...done(waiting), outcome: 'accepted' } };
}

const done = (payment: PaymentA): Answer => ({
  status: 200,
  body: buildPaymentIntent(payment),
  outcome: 'ok',
});

/** Returns the payment with one more attempt, made with this card. */
export function withAttempt(payment: PaymentA, details: Partial<PaymentA['details']>, now: Date): PaymentA {
  const attempts = payment.details.attempts + 1;
  const fresh = { attempts, chargedAt: toUnixSeconds(now), lastError: null, challenge: null };
  return { ...payment, details: { ...payment.details, ...fresh, ...details } };
}
