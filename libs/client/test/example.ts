import { each, GroupPaymentsError, openClient, verifyWebhook } from '@gp/client';

const payments = openClient({
  key: process.env['GROUP_PAYMENTS_KEY'] ?? '',
  baseUrl: process.env['GROUP_PAYMENTS_URL'] ?? 'http://127.0.0.1:8080',
});

/** Opens a bill for three and answers where to send the participants. */
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

/** Starts a payment; undefined when somebody else was faster. */
export async function pay(id: string, customer_email: string) {
  try {
    return await payments.payGroupPayment(
      id,
      { customer_email },
      { idempotencyKey: `${id}-${customer_email}` },
    );
  } catch (error) {
    if (error instanceof GroupPaymentsError && error.code === 'no_payable_slots') return undefined;
    throw error;
  }
}

/** Adds up what is paid, however many pages that takes. */
export async function paidTotal(): Promise<number> {
  let total = 0;
  const paid = each(
    (page) => payments.listGroupPayments({ ...page, state: 'paid' }),
    ({ group_payments }) => group_payments,
  );
  for await (const { total_amount } of paid) total += total_amount;
  return total;
}

/** In your endpoint, with the raw body: answers whether the bill is paid. Throws for what is not genuine. */
export function isPaid(rawBody: Buffer, headers: Record<string, string>, secret: string): boolean {
  const event = verifyWebhook({ rawBody, signature: headers['service-signature'], secret });
  return event.type === 'group_payment.paid';
}
