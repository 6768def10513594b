import { each, GroupPaymentsError, openClient } from '@group-payments/client';
import { verifyWebhook } from '@group-payments/client/webhooks';

const payments = openClient({
  key: process.env['GROUP_PAYMENTS_KEY'] ?? '',
  baseUrl: process.env['GROUP_PAYMENTS_URL'] ?? 'http://127.0.0.1:8080',
});

/** Creates a group payment of three equal slots and returns the address to send to the payers. */
export async function openBill(expires_at: string): Promise<string> {
  const { checkout_url } = await payments.createGroupPayment({
    group_name: 'Dinner at Casa Lola',
    total_amount: 90,
    currency: 'EUR',
    expires_at,
    distribution: { type: 'equally', number_of_slots: 3 },
  });
  return checkout_url;
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

/** For your endpoint, with the raw body: returns the id of the group that is paid. Rejects when the signature is wrong. */
export async function findPaidGroup(rawBody: Buffer, headers: Record<string, string>, secret: string) {
  const event = await verifyWebhook({ rawBody, signature: headers['service-signature'], secret });
  return event.type === 'group_payment.paid' ? event.data.group_payment_id : undefined;
}
