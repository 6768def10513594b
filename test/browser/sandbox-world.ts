import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort, testDatabase } from '@gp/testing';
import { ProxyAgent, request } from 'undici';
import { uuidv7 } from 'uuidv7';
import { root, runProcess } from '../conformance/processes.ts';
import { sandboxAt, type BookedPayment } from '../conformance/sandbox.ts';
import { formPage, signedOrder } from './bank-order.ts';
import { openShop } from './shop.ts';

/** The sandbox alone, and a shop of another origin whose pages use it as the checkout does. */
export type SandboxWorld = {
  readonly sandbox: string;
  /** The shop's origin; `/` is its page, under a policy as strict as the checkout's. */
  readonly shop: string;
  readonly accountA: Credentials;
  readonly accountB: Credentials;
  books(intentId: string): Promise<BookedPayment[]>;
  /** A payment of gateway_a that waits for its card: the client secret, and the platform's id of it. */
  newIntentA(amount?: number, currency?: string): Promise<{ intentId: string; clientSecret: string }>;
  /** The address at the shop of a page that posts a signed order to gateway_c's bank. */
  orderC(amount?: string, currency?: string): Promise<{ intentId: string; page: string }>;
  /** Sends a request to gateway_b's processor with a plain card; returns the answer. */
  payB(o: { number: string; amount: number; currency: string }): Promise<unknown>;
  /** Posts JSON to an address as the platform does: encrypted fields are decrypted on the way. Returns the answer. */
  throughRelay(url: string, body: object): Promise<unknown>;
  close(): Promise<void>;
};

/** The name under which the shop has its accounts; its characters must be escaped in a page. */
export const SHOP_NAME = 'Fish & Co <Casa Lola>';

type Credentials = Readonly<Record<string, string>>;

export async function openSandboxWorld(): Promise<SandboxWorld> {
  const schema = { schema: 'psp_sandbox', directories: [join(root, 'services/psp-sandbox/migrations')] };
  const database = await testDatabase({ schemas: [schema] });
  const [main = 0, gatewayA = 0, relay = 0, metrics = 0] = await Promise.all([1, 2, 3, 4].map(freePort));
  const local = (port: number): string => `http://127.0.0.1:${port}`;
  const sandbox = local(main);
  const shop = await openShop(sandbox);
  const running = await runProcess({
    folder: 'services/psp-sandbox',
    metricsPort: metrics,
    env: {
      CONTROL_FROM_LOOPBACK: '1',
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      DATABASE_URL: database.url('psp_sandbox'),
      PORT: String(main),
      GATEWAY_A_PORT: String(gatewayA),
      RELAY_PORT: String(relay),
      RELAY_DESTINATIONS: [sandbox, shop.url].map((url) => new URL(url).host).join(','),
    },
  });
  const tester = sandboxAt(sandbox);
  const open = (psp: string) => tester.openAccount(psp, uuidv7(), `${shop.url}/callbacks`, SHOP_NAME);
  const [accountA, accountB, accountC] = await Promise.all(['gateway_a', 'gateway_b', 'gateway_c'].map(open));
  return {
    sandbox,
    shop: shop.url,
    accountA: accountA ?? {},
    accountB: accountB ?? {},
    books: (intentId) => tester.books(intentId),
    newIntentA: (amount = 1234, currency = 'eur') => newIntentA(sandbox, accountA ?? {}, amount, currency),
    async orderC(amount = '1234', currency = '978') {
      const intentId = uuidv7();
      const fields = signedOrder(accountC ?? {}, shop.url, intentId, amount, currency);
      return { intentId, page: shop.show(formPage(`${sandbox}/gateway_c/sis/realizarPago`, fields)) };
    },
    payB: ({ number, ...payment }) => payB(sandbox, accountB ?? {}, number, payment),
    throughRelay: (url, body) => throughRelay(local(relay), accountB ?? {}, url, body),
    async close() {
      await running.stop();
      await shop.close();
      await database.drop();
    },
  };
}

async function newIntentA(sandbox: string, account: Credentials, amount: number, currency: string) {
  const intentId = uuidv7();
  const response = await fetch(`${sandbox}/gateway_a/v1/payment_intents`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account['secret_key']}`,
      'stripe-account': account['account_id'] ?? '',
    },
    body: new URLSearchParams({
      amount: String(amount),
      currency,
      capture_method: 'manual',
      'allowed_payment_method_types[]': 'card',
      'metadata[payment_intent_id]': intentId,
    }),
  });
  const { client_secret: clientSecret } = (await response.json()) as { client_secret: string };
  return { intentId, clientSecret };
}

async function payB(
  sandbox: string,
  account: Credentials,
  number: string,
  payment: object,
): Promise<unknown> {
  const source = { type: 'card', number, expiry_month: 12, expiry_year: 2034, cvv: '123', name: 'Ana' };
  const answer = await fetch(`${sandbox}/gateway_b/processor/payments`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${account['processor_secret_key']}`,
    },
    body: JSON.stringify({
      ...payment,
      source,
      capture: false,
      payment_type: 'Regular',
      reference: uuidv7(),
      '3ds': { enabled: true },
    }),
  });
  return answer.json();
}

async function throughRelay(relay: string, account: Credentials, url: string, body: object) {
  const dispatcher = new ProxyAgent({ uri: relay, token: account['relay_api_key'] ?? '', proxyTunnel: true });
  try {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${account['processor_secret_key']}`,
    };
    const answer = await request(url, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      dispatcher,
    });
    return await answer.body.json();
  } finally {
    await dispatcher.close();
  }
}
