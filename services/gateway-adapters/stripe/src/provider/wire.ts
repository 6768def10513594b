import { findCurrency } from '@gp/money';
import { fromGatewayMinor, type Payment, type PaymentOrder } from '@gp/gateway';
import type Stripe from 'stripe';
import { amountRule } from '../domain/amounts.ts';
import type { IntentView, RefundView } from '../domain/truth.ts';

/** Names of our ids in the gateway's metadata. */
const KEY = 'operation_key';

/** Returns our ids, so that callbacks, charges and exports name the payment by them. */
export function buildMetadata(order: PaymentOrder | Payment): Record<string, string> {
  return {
    payment_intent_id: order.intentId,
    group_payment_id: order.groupId,
    ...(order.attemptId !== null && { attempt_id: order.attemptId }),
    ...(order.mode === 'test' && order.sandboxFault !== null && { sandbox_fault: order.sandboxFault }),
  };
}

export const buildRefundMetadata = (payment: Payment, idempotencyKey: string): Record<string, string> => ({
  ...buildMetadata({ ...payment, sandboxFault: null }),
  [KEY]: idempotencyKey,
});

/** Returns an amount of the API in our minor units; a currency we do not know keeps its digits. */
export function toMinor(amount: number, wireCurrency: string): bigint {
  const currency = findCurrency(wireCurrency.toUpperCase());
  const rule = currency && amountRule(currency);
  return rule ? fromGatewayMinor(BigInt(amount), currency, rule) : BigInt(amount);
}

/** Returns whether the newest charge, which must be expanded, has or had a dispute. */
export function wasDisputed({ latest_charge: charge }: Stripe.PaymentIntent): boolean {
  return typeof charge === 'object' && charge !== null && charge.disputed;
}

/** Converts a PaymentIntent with its newest charge expanded, its refunds and its disputes. */
export function parseIntentView(
  intent: Stripe.PaymentIntent,
  refunds: readonly Stripe.Refund[],
  disputes: readonly Stripe.Dispute[],
): IntentView {
  const { currency, last_payment_error: lastError } = intent;
  const charge = typeof intent.latest_charge === 'object' ? intent.latest_charge : null;
  return {
    id: intent.id,
    status: intent.status,
    cancellationReason: intent.cancellation_reason,
    amount: toMinor(intent.amount, currency),
    amountCapturable: toMinor(intent.amount_capturable, currency),
    amountReceived: toMinor(intent.amount_received, currency),
    currency: currency.toUpperCase(),
    lastError: lastError && { code: lastError.code ?? '', declineCode: lastError.decline_code ?? null },
    charge: charge && {
      amount: toMinor(charge.amount, currency),
      wasDisputed: charge.disputed,
      captureBefore: charge.payment_method_details?.card?.capture_before ?? null,
    },
    refunds: refunds.map((refund) => parseRefundView(refund)),
    disputes: disputes.map(({ status }) => status),
  };
}

function parseRefundView({ amount, currency, status, metadata, failure_reason }: Stripe.Refund): RefundView {
  return {
    amount: toMinor(amount, currency),
    status,
    key: metadata?.[KEY] ?? null,
    failureReason: failure_reason ?? null,
  };
}
