import type { IntentCore } from './intent.ts';

type Amounts = Pick<IntentCore, 'amountMinor' | 'tipMinor' | 'amountCapturedMinor' | 'amountRefundedMinor'>;

/** Returns what the slots of a payment cost: its amount without the tip. */
export function computeSlotsMinor({
  amountMinor,
  tipMinor,
}: Pick<Amounts, 'amountMinor' | 'tipMinor'>): bigint {
  return amountMinor - tipMinor;
}

/** Returns what was captured of a payment and not given back. */
export function computeNetMinor({ amountCapturedMinor, amountRefundedMinor }: Amounts): bigint {
  return amountCapturedMinor - amountRefundedMinor;
}

/**
 * Returns how much of a payment's tip the merchant has. A capture of less than the hold covers the slots first, and a refund of
 * a part takes the money of the slots first: the tip goes back with the rest (Q94).
 */
export function computeKeptTipMinor(payment: Amounts): bigint {
  const beyondSlots = payment.amountCapturedMinor - computeSlotsMinor(payment);
  const net = computeNetMinor(payment);
  const captured = beyondSlots > 0n ? beyondSlots : 0n;
  return captured < net ? captured : net;
}
