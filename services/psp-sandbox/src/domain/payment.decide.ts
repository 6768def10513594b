import { paymentMachine, type Trigger } from './payment.machine.ts';
import type { Payment, PendingStep } from './payment.ts';

export type Refusal = 'wrong_state' | 'in_progress' | 'hold_expired' | 'amount_too_large' | 'disputed';

export type Decision<D> =
  { readonly ok: true; readonly payment: Payment<D> } | { readonly ok: false; readonly refusal: Refusal };

/** Card schemes keep a customer's online authorisation for seven days. */
export const HOLD_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

const refused = <D>(refusal: Refusal): Decision<D> => ({ ok: false, refusal });

function step<D>(payment: Payment<D>, trigger: Trigger, changes: Partial<Payment<D>>): Decision<D> {
  const status = paymentMachine.next(payment.status, trigger);
  if (status === undefined) return refused('wrong_state');
  return { ok: true, payment: { ...payment, pendingStep: null, ...changes, status } };
}

/** Places the hold. `amountMinor` differs from the payment's only when the gateway gets the amount wrong. */
export function authorise<D>(payment: Payment<D>, amountMinor: bigint, now: Date): Decision<D> {
  const holdExpiresAt = new Date(now.getTime() + HOLD_LIFETIME_MS);
  return step(payment, 'authorise', { authorisedMinor: amountMinor, holdExpiresAt });
}

export function decline<D>(payment: Payment<D>): Decision<D> {
  return step(payment, 'decline', { authorisedMinor: 0n });
}

/** Returns why a step may not begin now, or undefined when the gateway may accept it. Changes nothing. */
export function mayBegin<D>(
  payment: Payment<D>,
  wanted: PendingStep,
  amountMinor: bigint,
  now: Date,
): Refusal | undefined {
  if (payment.pendingStep !== null) return 'in_progress';
  const decision = finish(payment, wanted, amountMinor, now);
  return decision.ok ? undefined : decision.refusal;
}

/** Carries out a step that may have been pending until now. */
export function finish<D>(
  payment: Payment<D>,
  wanted: PendingStep,
  amountMinor: bigint,
  now: Date,
): Decision<D> {
  switch (wanted) {
    case 'authorise':
      return authorise(payment, amountMinor, now);
    case 'capture':
      return capture(payment, amountMinor, now);
    case 'void':
      return step(payment, 'void', {});
    case 'refund':
      return refund(payment, amountMinor);
  }
}

/** Takes the money, once: the rest of the hold is released with it. */
function capture<D>(payment: Payment<D>, amountMinor: bigint, now: Date): Decision<D> {
  if (payment.status === 'authorised' && isLapsed(payment, now)) return refused('hold_expired');
  if (payment.status === 'authorised' && amountMinor > payment.authorisedMinor)
    return refused('amount_too_large');
  return step(payment, 'capture', { capturedMinor: amountMinor });
}

function refund<D>(payment: Payment<D>, amountMinor: bigint): Decision<D> {
  if (payment.isDisputed) return refused('disputed');
  const refundedMinor = payment.refundedMinor + amountMinor;
  if (payment.status === 'captured' && refundedMinor > payment.capturedMinor)
    return refused('amount_too_large');
  const isAll = refundedMinor === payment.capturedMinor;
  return step(payment, isAll ? 'refund_rest' : 'refund_part', { refundedMinor });
}

/** Undoes a capture or a refund that had succeeded, as when the scheme sends the money back. */
export function reverse<D>(
  payment: Payment<D>,
  wanted: 'capture' | 'refund',
  amountMinor: bigint,
): Decision<D> {
  if (wanted === 'capture') return step(payment, 'reverse_capture', { capturedMinor: 0n });
  const refundedMinor = payment.refundedMinor - amountMinor;
  if (payment.status === 'captured') return { ok: true, payment: { ...payment, refundedMinor } };
  return step(payment, 'reverse_refund', { refundedMinor });
}

/** Ends the hold at the gateway. */
export function expire<D>(payment: Payment<D>): Decision<D> {
  return step(payment, 'expire', {});
}

const isLapsed = (payment: Payment, now: Date): boolean =>
  payment.holdExpiresAt !== null && payment.holdExpiresAt <= now;
