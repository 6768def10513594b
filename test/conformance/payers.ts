import type { Bus } from '@gp/bus';
import { confirmIntent, type ClientData } from '@gp/contracts';
import type { Sandbox } from './sandbox.ts';
import type { Ticket } from './ledger.ts';

export const GOOD_CARD = '4242424242424242';
export const POOR_CARD = '4000000000009995';
export const SECURED_CARD = '4000002760003184';

/**
 * Pays as a payer would, once, and never mind what comes back: a payer sees a spinner and then something. Answers
 * how to pass the bank's question when it asks one.
 */
export type Payer = (o: {
  sandbox: Sandbox;
  bus: Bus;
  ticket: Ticket;
  client: ClientData;
  card: string;
  /** How many times as long as usual he waits for an answer. */
  patience: number;
}) => Promise<{ error?: unknown; authenticate?: () => Promise<unknown> }>;

/** gateway_a: the browser speaks to the gateway. */
export const browserPayer: Payer = async ({ sandbox, client, card, patience }) => {
  const { client_secret = '', publishable_key = '', gateway_a_account_id = '' } = client;
  const id = client_secret.split('_secret_')[0] ?? '';
  const form = new URLSearchParams({
    key: publishable_key,
    client_secret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': card,
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '2040',
    'payment_method_data[card][cvc]': '123',
  });
  try {
    const response = await fetch(`${sandbox.url}/gateway_a/v1/payment_intents/${id}/confirm`, {
      method: 'POST',
      headers: { 'stripe-account': gateway_a_account_id },
      body: form,
      signal: AbortSignal.timeout(1_500 * patience),
    });
    const answer = (await response.json()) as {
      next_action?: { redirect_to_url?: { url?: string } } | null;
    };
    const url = answer.next_action?.redirect_to_url?.url;
    const body = new URLSearchParams({ result: 'authenticated' });
    return url === undefined ? {} : { authenticate: () => fetch(url, { method: 'POST', body }) };
  } catch (error) {
    return { error };
  }
};

/** gateway_b: the card is encrypted in the browser and confirmed through the adapter. */
export const confirmingPayer: Payer = async ({ sandbox, bus, ticket, client, card, patience }) => {
  const app = client.card_field_app_id ?? '';
  const { psp_reference: _unknownYet, ...payment } = ticket;
  try {
    await bus.call(
      confirmIntent('gateway_b'),
      {
        ticket: { ...payment, seq: 1, merchant_order_id: 'order' },
        card: {
          cardholder_name: 'Ada Lovelace',
          encrypted_card_number: await sandbox.encrypt(app, card),
          expiration_month: 12,
          expiration_year: 2040,
          encrypted_security_code: await sandbox.encrypt(app, '123'),
        },
      },
      // The adapter keeps two seconds of it to tell of what came.
      { timeoutMs: 2_000 + 1_500 * patience },
    );
    return {};
  } catch (error) {
    return { error };
  }
};

/** gateway_c: the payer leaves for the bank's page, and his browser is sent back. */
export const leavingPayer: Payer = async ({ client, card, patience }) => {
  const { url, body } = client.gateway_c_form ?? { url: '', body: {} };
  const submit = (to: string, fields: Readonly<Record<string, string>>) =>
    submitForm(to, fields, 2_500 * patience);
  try {
    const cardForm = await submit(url, body);
    const codeForm = await submit(cardForm, {
      card_number: card,
      expiry_month: '12',
      expiry_year: '2040',
      cvv: '123',
      pay: 'pay',
    });
    return codeForm === '' ? {} : { authenticate: () => submit(codeForm, { code: '123456' }) };
  } catch (error) {
    return { error };
  }
};

/** Sends a form and goes wherever the answer leads; answers the address of the next page's form, if it has one. */
async function submitForm(
  url: string,
  fields: Readonly<Record<string, string>>,
  withinMs: number,
): Promise<string> {
  const signal = AbortSignal.timeout(withinMs);
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields), signal });
  return /<form method="post" action="([^"]+)">/.exec(await response.text())?.[1] ?? '';
}
