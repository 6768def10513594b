import type { AnyClientData } from '@gp/gateway-registry';
import type { GatewaySubject } from '@gp/testing';

/** Facts about Stripe that tests need beside its manifest. */
export const subject: GatewaySubject = {
  payer: { flow: 'embedded', buildConfirmation, findChallenge, findConfirmed },
  credentials: {
    account: 'account_id',
    key: 'secret_key',
    spoil: (key) => `${key}x`,
    isModeVisible: true,
  },
  unreported: [],
  spans: ['POST /v1/payment_intents', 'POST /v1/payment_intents/:id/capture'],
};

/** Builds the request with which Stripe.js confirms a payment. */
function buildConfirmation(client: AnyClientData, number: string) {
  const { client_secret = '', publishable_key = '', gateway_a_account_id = '' } = client;
  const id = client_secret.split('_secret_')[0] ?? '';
  return {
    path: `/gateway_a/v1/payment_intents/${id}/confirm`,
    headers: { 'stripe-account': gateway_a_account_id },
    fields: {
      key: publishable_key,
      client_secret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': number,
      'payment_method_data[card][exp_month]': '12',
      'payment_method_data[card][exp_year]': '2034',
      'payment_method_data[card][cvc]': '123',
    },
  };
}

type Intent = { status?: string; next_action?: { redirect_to_url?: { url?: string } } | null };

function findChallenge(answer: unknown): string | undefined {
  const { status, next_action } = answer as Intent;
  return status === 'requires_action' ? next_action?.redirect_to_url?.url : undefined;
}

function findConfirmed(refusal: unknown): object | undefined {
  const { error } = refusal as { error?: { code?: string; payment_intent?: object } };
  return error?.code === 'payment_intent_unexpected_state' ? error.payment_intent : undefined;
}
