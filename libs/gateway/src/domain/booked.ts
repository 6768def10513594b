import type { PaymentMoney } from '@gp/contracts';
import type { Truth } from './payment.ts';

/** What of a payment is held, was taken and went back, by the gateway's own books. */
export function moneyOf(truth: Truth): PaymentMoney {
  // What a gateway "refunds" of a hold that was never captured is only its release.
  const refundedMinor = truth.capturedMinor === 0n ? 0n : truth.refundedMinor;
  return {
    held_minor: (truth.status === 'authorised' ? truth.amountMinor : 0n).toString(),
    captured_minor: truth.capturedMinor.toString(),
    refunded_minor: refundedMinor.toString(),
  };
}
