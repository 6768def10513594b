import {
  type Answer,
  authorise,
  type Conduct,
  decline,
  type DeclineReason,
  type BooksTransaction,
  finish,
  LATER_MS,
  computeWrongAmount,
} from '@gp/psp-sandbox/kit';
import { buildEvents } from './callbacks.ts';
import { buildAttemptError, declinedAnswer, refusalAnswer } from './errors.ts';
import { toUnixSeconds, type PaymentA } from './payment.ts';
import { buildPaymentIntent } from './wire.ts';

/** The result of an attempt, with the payment in its current state. */
export type PlayedAttempt = { readonly payment: PaymentA; readonly answer: Answer };

/** Declines as the issuer: the intent waits for another card. */
export async function refuseCard(
  tx: BooksTransaction,
  payment: PaymentA,
  reason: DeclineReason,
  conduct: Conduct,
): Promise<PlayedAttempt> {
  const lastError = buildAttemptError(reason);
  const decision = decline(payment);
  if (!decision.ok) return { payment, answer: refusalAnswer(payment, 'confirm', decision.refusal) };
  const details = { ...payment.details, lastError, challenge: null };
  const declined: PaymentA = { ...decision.payment, details };
  await tx.save(declined);
  await tx.emit(
    declined,
    buildEvents(declined, ['charge.failed', 'payment_intent.payment_failed'], tx.now),
    conduct,
  );
  return { payment: declined, answer: declinedAnswer(declined, lastError) };
}

/** Approves as the issuer: the hold is placed, and captured at once where the intent asks for it. */
export async function holdFunds(
  tx: BooksTransaction,
  payment: PaymentA,
  conduct: Conduct,
): Promise<PlayedAttempt> {
  if (conduct.failsLater) return keepWaiting(tx, payment, conduct);
  const amountMinor = conduct.wrongAmount ? computeWrongAmount(payment.amountMinor) : payment.amountMinor;
  const decision = authorise(
    { ...payment, details: { ...payment.details, challenge: null, lastError: null } },
    amountMinor,
    tx.now,
  );
  if (!decision.ok) return { payment, answer: refusalAnswer(payment, 'confirm', decision.refusal) };
  const { payment: held } = decision;
  if (held.details.captureMethod !== 'manual') return takeAtOnce(tx, held, conduct);
  await tx.save(held);
  const { gateway, pspReference, holdExpiresAt } = held;
  if (holdExpiresAt) {
    await tx.schedule({
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
  await tx.emit(held, buildEvents(held, types, tx.now), conduct);
  return { payment: held, answer: done(held) };
}

async function takeAtOnce(tx: BooksTransaction, held: PaymentA, conduct: Conduct): Promise<PlayedAttempt> {
  const decision = finish(held, 'capture', held.authorisedMinor, tx.now);
  if (!decision.ok) return { payment: held, answer: refusalAnswer(held, 'confirm', decision.refusal) };
  const { payment: captured } = decision;
  await tx.save(captured);
  await tx.emit(
    captured,
    buildEvents(captured, ['charge.succeeded', 'payment_intent.succeeded'], tx.now),
    conduct,
  );
  return { payment: captured, answer: done(captured) };
}

/** Leaves the attempt pending; the bank declines it later. */
async function keepWaiting(
  tx: BooksTransaction,
  payment: PaymentA,
  conduct: Conduct,
): Promise<PlayedAttempt> {
  const details = { ...payment.details, challenge: null, lastError: null };
  const waiting: PaymentA = { ...payment, details, pendingStep: 'authorise' };
  await tx.save(waiting);
  const { gateway, pspReference } = waiting;
  const dueAt = new Date(tx.now.getTime() + LATER_MS);
  await tx.schedule({
    gateway,
    pspReference,
    kind: 'fail',
    step: 'authorise',
    actionId: null,
    callbacks: 'plain',
    dueAt,
  });
  await tx.emit(waiting, buildEvents(waiting, ['payment_intent.processing'], tx.now), conduct);
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
