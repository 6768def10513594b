import { each, GroupPaymentsError, openClient } from '@group-payments/client';

const payments = openClient({
  key: process.env['GROUP_PAYMENTS_KEY'] ?? '',
  baseUrl: process.env['GROUP_PAYMENTS_URL'] ?? 'http://127.0.0.1:8080',
});

/** What your database has of an order before it asks for a group payment. */
export type Order = { readonly id: string; readonly expires_at: string };

/**
 * Creates a group payment of three equal slots; returns its id, its slots and the address to send to the payers. To repeat
 * it, after a crash for example, send the same key with the same body: an `expires_at` that is computed anew is another
 * body, which is refused with 422 `idempotency_key_reused`. So the order keeps the instant.
 */
export async function openBill(order: Order) {
  const { group_payment, payment_slots, checkout_url } = await payments.createGroupPayment(
    {
      group_name: 'Dinner at Casa Lola',
      total_amount: 90,
      currency: 'EUR',
      expires_at: order.expires_at,
      client_reference: order.id,
      distribution: { type: 'equally', number_of_slots: 3 },
    },
    { idempotencyKey: `bill-${order.id}` },
  );
  const slots = payment_slots.map(({ id, sequence_no, amount }) => ({ id, sequence_no, amount }));
  return { id: group_payment.id, slots, checkout_url };
}

/**
 * Starts a payment; returns undefined when another payer was faster. `attemptId` is your own id of this attempt: repeat it
 * to repeat the request, and make a new one for a new attempt, because an answer is stored with its key, a 409 included.
 */
export async function pay(id: string, customer_email: string, attemptId: string) {
  try {
    return await payments.payGroupPayment(id, { customer_email }, { idempotencyKey: attemptId });
  } catch (error) {
    if (error instanceof GroupPaymentsError && error.code === 'no_payable_slots') return undefined;
    throw error;
  }
}

/** Sums up the paid group payments in euros, over all pages, in whole cents: sums of decimal fractions are not exact. */
export async function sumPaidCents(): Promise<number> {
  let cents = 0;
  const paid = each(
    (page) => payments.listGroupPayments({ ...page, state: 'paid' }),
    ({ group_payments }) => group_payments,
  );
  for await (const { currency, total_amount } of paid)
    if (currency === 'EUR') cents += Math.round(total_amount * 100);
  return cents;
}

/** Refunds all that is captured; returns the payments that were not refunded, each with the reason. */
export async function refund(id: string, refundId: string) {
  try {
    const { failed } = await payments.refundGroupPayment(id, {}, { idempotencyKey: refundId });
    return failed;
  } catch (error) {
    // Nothing was refunded. The answer is stored with its key: once the cause is gone, ask with a new one.
    if (error instanceof GroupPaymentsError && error.refund) return error.refund.failed;
    throw error;
  }
}
