import type { PaymentMoney } from '@gp/contracts';
import type { Truth } from './payment.ts';

/** Returns the held, captured and refunded amounts of a payment in the gateway's books. */
export function toPaymentMoney(truth: Truth): PaymentMoney {
  // A gateway's "refund" of a hold that was never captured is only its release.
  const refundedMinor = truth.capturedMinor === 0n ? 0n : truth.refundedMinor;
  return {
    held_minor: (truth.status === 'authorised' ? truth.amountMinor : 0n).toString(),
    captured_minor: truth.capturedMinor.toString(),
    refunded_minor: refundedMinor.toString(),
  };
}
