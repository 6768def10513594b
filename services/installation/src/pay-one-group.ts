import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { call } from './call.ts';
import { PAID_OVER } from './paid-over.ts';

export type Where = { readonly api: string; readonly sandbox: string; readonly apiKey: string };

type Json = Readonly<Record<string, unknown>>;
type Group = { readonly group_payment: { readonly id: string; readonly state: string } };
type Pay = {
  readonly psp_code: string;
  readonly client_secret: string;
  readonly publishable_key: string;
  readonly gateway_a_account_id: string;
};

const CALL_MS = 30_000;
const PAID_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 500;

/**
 * Creates a group payment of one slot and pays it with a card of the sandbox, as a payer's browser would. Resolves
 * with its id when it is paid; throws the first unexpected response.
 */
export async function payOneGroup({ api, sandbox, apiKey }: Where): Promise<string> {
  const ask = async <T>(method: string, path: string, body?: Json) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'idempotency-key': randomUUID() };
    return (await call<T>(method, `${api}/v1/group-payments${path}`, body, headers)).body;
  };
  const { id } = (await ask<Group>('POST', '', newGroup())).group_payment;
  const pay = await ask<Pay>('POST', `/${id}/pay`, {
    customer_email: 'smoke-test@payers.example',
    customer_name: 'Smoke Test',
  });
  if (pay.psp_code !== PAID_OVER)
    throw new Error(
      `the test key's merchant has ${pay.psp_code} active, and this test pays over ${PAID_OVER}`,
    );
  await postCard(sandbox, pay);
  for (const giveUpAt = Date.now() + PAID_WITHIN_MS; ; await delay(LOOK_EVERY_MS)) {
    const { state } = (await ask<Group>('GET', `/${id}`)).group_payment;
    if (state === 'paid') return id;
    if (Date.now() > giveUpAt) throw new Error(`group payment ${id} is ${state}, not paid`);
  }
}

/** Posts a card as the browser's library does; this card is always approved. */
async function postCard(sandbox: string, pay: Pay): Promise<void> {
  const intent = pay.client_secret.split('_secret_')[0];
  const url = `${sandbox}/${PAID_OVER}/v1/payment_intents/${intent}/confirm`;
  const body = new URLSearchParams({
    key: pay.publishable_key,
    client_secret: pay.client_secret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': '4242424242424242',
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': String(new Date().getUTCFullYear() + 5),
    'payment_method_data[card][cvc]': '123',
  });
  const headers = { 'stripe-account': pay.gateway_a_account_id };
  const response = await fetch(url, { method: 'POST', body, headers, signal: AbortSignal.timeout(CALL_MS) });
  if (!response.ok) throw new Error(`POST ${url} answered ${response.status}: ${await response.text()}`);
}

function newGroup(): Json {
  return {
    group_name: 'Smoke test',
    total_amount: 10,
    currency: 'EUR',
    expires_at: new Date(Date.now() + 60 * 60 * 1_000).toISOString(),
    distribution: { type: 'equally', number_of_slots: 1 },
  };
}
