import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

export type Where = { readonly api: string; readonly sandbox: string; readonly apiKey: string };

type Json = Readonly<Record<string, unknown>>;
type Group = { readonly group_payment: { readonly id: string; readonly state: string } };
type Pay = {
  readonly psp_code: string;
  readonly payment_intent_id: string;
  readonly card_field_app_id: string;
};

const CALL_MS = 30_000;
const PAID_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 500;

/**
 * Makes a group payment of one slot and pays it over gateway_b with a card of the sandbox, as a payer's browser would.
 * Resolves with its id when it is paid; throws the answer that was not as hoped.
 */
export async function payOneGroup({ api, sandbox, apiKey }: Where): Promise<string> {
  const ask = <T>(method: string, path: string, body?: Json) =>
    call<T>(method, `${api}/v1/group-payments${path}`, body, {
      authorization: `Bearer ${apiKey}`,
      'idempotency-key': randomUUID(),
    });
  const { id } = (await ask<Group>('POST', '', newGroup())).group_payment;
  const pay = await ask<Pay>('POST', `/${id}/pay`, {
    customer_email: 'smoke-test@payers.example',
    customer_name: 'Smoke Test',
  });
  if (pay.psp_code !== 'gateway_b')
    throw new Error(`the test key's merchant has ${pay.psp_code} active, and this test pays over gateway_b`);
  const encrypt = async (value: string) => {
    const o = { value, app: pay.card_field_app_id };
    return (await call<{ encrypted: string }>('POST', `${sandbox}/control/gateway_b/encrypt`, o)).encrypted;
  };
  await ask('POST', `/${id}/confirm`, {
    payment_intent_id: pay.payment_intent_id,
    card: {
      cardholder_name: 'Smoke Test',
      encrypted_card_number: await encrypt('4242424242424242'),
      expiration_month: 12,
      expiration_year: new Date().getUTCFullYear() + 5,
      encrypted_security_code: await encrypt('123'),
    },
  });
  for (const giveUpAt = Date.now() + PAID_WITHIN_MS; ; await delay(LOOK_EVERY_MS)) {
    const { state } = (await ask<Group>('GET', `/${id}`)).group_payment;
    if (state === 'paid') return id;
    if (Date.now() > giveUpAt) throw new Error(`group payment ${id} is ${state}, not paid`);
  }
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

async function call<T>(
  method: string,
  url: string,
  body?: Json,
  headers: Record<string, string> = {},
): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(CALL_MS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}
