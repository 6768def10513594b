/** Amounts of one payment that are held, captured and returned. */
export type PaymentMoney = {
  readonly heldMinor: bigint;
  readonly capturedMinor: bigint;
  readonly refundedMinor: bigint;
};

/** A payment in a gateway's books, as far as the gateway could be read. */
export type Booked =
  | { readonly answer: 'found'; readonly money: PaymentMoney; readonly currency: string }
  | { readonly answer: 'absent' }
  | { readonly answer: 'unanswered' };

export const nothing: PaymentMoney = { heldMinor: 0n, capturedMinor: 0n, refundedMinor: 0n };

/**
 * Returns whether the gateway's books agree with our postings. A payment that a gateway does not know agrees
 * when no money of it is booked here; one in another currency never agrees, whatever its amounts are.
 */
export function compareBooks(
  { expected, currency }: { readonly expected: PaymentMoney; readonly currency: string },
  booked: Booked,
): 'agrees' | 'differs' | 'unanswered' {
  if (booked.answer === 'unanswered') return 'unanswered';
  if (booked.answer === 'absent') return isSame(expected, nothing) ? 'agrees' : 'differs';
  const isForeign = booked.currency !== currency && !isSame(booked.money, nothing);
  return !isForeign && isSame(expected, booked.money) ? 'agrees' : 'differs';
}

export function isSame(a: PaymentMoney, b: PaymentMoney): boolean {
  return (
    a.heldMinor === b.heldMinor && a.capturedMinor === b.capturedMinor && a.refundedMinor === b.refundedMinor
  );
}

export function addMoney(a: PaymentMoney, b: PaymentMoney): PaymentMoney {
  return {
    heldMinor: a.heldMinor + b.heldMinor,
    capturedMinor: a.capturedMinor + b.capturedMinor,
    refundedMinor: a.refundedMinor + b.refundedMinor,
  };
}
