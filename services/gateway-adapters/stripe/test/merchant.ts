import Stripe from 'stripe';
import { uuidv7 } from 'uuidv7';
import { call, type Sandbox, type Tester } from '@gp/psp-sandbox/test-kit';

export type MerchantA = {
  readonly credentials: {
    account_id: string;
    secret_key: string;
    publishable_key: string;
    webhook_secret: string;
  };
  readonly stripe: Stripe;
};

/** A merchant with an account; it calls gateway_a through the official SDK. */
export async function merchantA(sandbox: Sandbox, tester: Tester, webhookUrl?: string): Promise<MerchantA> {
  const body = { name: uuidv7(), ...(webhookUrl && { webhook_url: webhookUrl }) };
  const credentials = (await tester.control('POST', 'gateway_a/accounts', body)) as MerchantA['credentials'];
  const stripe = new Stripe(credentials.secret_key, {
    host: '127.0.0.1',
    port: sandbox.port('gateway-a'),
    protocol: 'http',
    stripeAccount: credentials.account_id,
    maxNetworkRetries: 0,
    telemetry: false,
    timeout: 10_000,
  });
  return { credentials, stripe };
}

export type CreateOptions = {
  amount?: number;
  metadata?: Record<string, string>;
  key?: string;
  intent?: string;
};

/** A manual-capture payment as the platform makes it; `intent` is the platform's own id. */
export function createIntent(
  { stripe }: MerchantA,
  o: CreateOptions = {},
): Promise<Stripe.Response<Stripe.PaymentIntent>> {
  const metadata = { payment_intent_id: o.intent ?? uuidv7(), ...o.metadata };
  const params = { amount: o.amount ?? 1500, currency: 'eur', capture_method: 'manual', metadata } as const;
  return stripe.paymentIntents.create(
    { ...params, allowed_payment_method_types: ['card'] },
    { idempotencyKey: o.key ?? uuidv7() },
  );
}

/** The payer's browser: publishable key, client secret and card, as a form. */
export function confirmInBrowser(
  { credentials }: MerchantA,
  sandbox: Sandbox,
  intent: Stripe.PaymentIntent,
  number: string,
  more: Record<string, string> = {},
  signal?: AbortSignal,
) {
  const body = new URLSearchParams({
    key: credentials.publishable_key,
    client_secret: intent.client_secret ?? '',
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': number,
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '2030',
    'payment_method_data[card][cvc]': '123',
    ...more,
  });
  const headers = { 'Stripe-Account': credentials.account_id };
  return call('POST', `${sandbox.url}/gateway_a/v1/payment_intents/${intent.id}/confirm`, {
    body,
    headers,
    signal,
  });
}

/** A payment whose money is held. */
export async function heldIntent(
  merchant: MerchantA,
  sandbox: Sandbox,
  o: CreateOptions = {},
): Promise<Stripe.PaymentIntent> {
  const intent = await createIntent(merchant, o);
  await confirmInBrowser(merchant, sandbox, intent, '4242424242424242');
  return intent;
}
