import Checkout from 'checkout-sdk-node';
import { ProxyAgent, request } from 'undici';
import { uuidv7 } from 'uuidv7';
import { call, type Sandbox, type Tester } from '@gp/psp-sandbox/test-kit';

export type CredentialsB = {
  team_id: string;
  app_id: string;
  relay_api_key: string;
  processor_secret_key: string;
  processing_channel_id: string;
  webhook_secret: string;
};

/** The part of the processor's official SDK that is used here. */
type Api = {
  readonly config: object;
  readonly payments: {
    request(body: object, idempotencyKey?: string): Promise<{ id: string }>;
    capture(id: string, body: object, idempotencyKey?: string): Promise<object>;
    refund(id: string, body: object, idempotencyKey?: string): Promise<object>;
    get(id: string): Promise<object>;
    getActions(id: string): Promise<readonly { type: string; amount: number }[]>;
  };
};
const Sdk = Checkout as unknown as new (secretKey: string, options: object) => Api;

export type MerchantB = {
  readonly credentials: CredentialsB;
  readonly api: Api;
  readonly processor: string;
};

/** A merchant with an app and a processing channel; it calls the processor through the official SDK. */
export async function merchantB(sandbox: Sandbox, tester: Tester, webhookUrl?: string): Promise<MerchantB> {
  const body = { name: uuidv7(), ...(webhookUrl && { webhook_url: webhookUrl }) };
  const credentials = (await tester.control('POST', 'gateway_b/accounts', body)) as CredentialsB;
  const options = { environment: 'sandbox', subdomain: '12345678' };
  const api = new Sdk(credentials.processor_secret_key, options);
  const processor = `${sandbox.url}/gateway_b/processor`;
  // The SDK only knows the vendor's hosts; the base address is the one thing changed in it.
  Object.assign(api.config, { host: processor });
  return { credentials, api, processor };
}

export const cardSource = (number: string) =>
  ({ type: 'card', number, expiry_month: 12, expiry_year: 2030, name: 'Ada Lovelace', cvv: '123' }) as const;

export type PayOptions = {
  number?: string;
  reference?: string;
  intent?: string;
  metadata?: Record<string, string>;
};

export const paymentBody = (o: PayOptions = {}) => ({
  source: cardSource(o.number ?? '4242424242424242'),
  amount: 1500,
  currency: 'EUR',
  capture: false,
  payment_type: 'Regular',
  reference: o.reference ?? uuidv7(),
  metadata: { payment_intent_id: o.intent ?? uuidv7(), ...o.metadata },
});

export const bearer = ({ credentials }: MerchantB) => ({
  Authorization: `Bearer ${credentials.processor_secret_key}`,
});

/** A payment request straight to the processor, with a plain card. */
export function pay(merchant: MerchantB, o: PayOptions & { key?: string } = {}) {
  const headers = { ...bearer(merchant), ...(o.key && { 'Cko-Idempotency-Key': o.key }) };
  return call('POST', `${merchant.processor}/payments`, { body: paymentBody(o), headers });
}

/** A step on a payment, straight to the processor. */
export function step(
  merchant: MerchantB,
  id: string,
  path: 'captures' | 'voids' | 'refunds',
  body: object = {},
  key?: string,
) {
  const headers = { ...bearer(merchant), ...(key && { 'Cko-Idempotency-Key': key }) };
  return call('POST', `${merchant.processor}/payments/${id}/${path}`, { body, headers });
}

/** A payment whose money is held. */
export async function heldPayment(merchant: MerchantB, o: PayOptions = {}): Promise<string> {
  const { status, body } = await pay(merchant, o);
  if (status !== 201) throw new Error(`the processor answered ${status}`);
  return (body as { id: string }).id;
}

/** The same request as the platform makes it: encrypted, through the relay. */
export async function throughRelay(
  sandbox: Sandbox,
  merchant: MerchantB,
  o: { body: unknown; relayKey?: string; target?: string },
): Promise<{ status: number; type: string; body: unknown }> {
  const proxy = new ProxyAgent({
    uri: `http://127.0.0.1:${sandbox.port('relay')}`,
    token: o.relayKey ?? merchant.credentials.relay_api_key,
    proxyTunnel: true,
  });
  try {
    const answer = await request(o.target ?? `${merchant.processor}/payments`, {
      method: 'POST',
      headers: { ...bearer(merchant), 'content-type': 'application/json' },
      body: typeof o.body === 'string' ? o.body : JSON.stringify(o.body),
      dispatcher: proxy,
    });
    const text = await answer.body.text();
    const type = String(answer.headers['content-type']);
    return { status: answer.statusCode, type, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  } finally {
    await proxy.close();
  }
}
