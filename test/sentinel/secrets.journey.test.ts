import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pspCodes } from '@gp/gateway-registry';
import { eventually } from '@gp/testing';
import pg from 'pg';
import { sendUntilAnswered, type Pay } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { openApi, newGroup, payer, paySlot } from '../support/journey.ts';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { cards, buildConfirmRequest, encrypt } from '../support/payer.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { refundUntilAnswered } from '../support/refund.ts';
import { openRequests } from '../support/requests.ts';
import { findMerchant } from '../support/stack.ts';
import { openTraceReceiver, type TraceReceiver } from '../support/trace-receiver.ts';

const HOLDER = 'Sentinela Titular';
const CODE = '98731';
const ANA = payer('ana');

let own: OwnStack;
let receiver: Receiver;
let traces: TraceReceiver;
/** Values that must be found nowhere, by kind. */
const secrets = new Map<string, string>();

beforeAll(async () => {
  traces = await openTraceReceiver();
  own = await openOwnStack({
    ...traces.settings,
    TRACE_SAMPLE_RATIO: '1',
    LOG_LEVEL: 'debug',
  });
  receiver = await openReceiver();
  await payOnAll();
}, 240_000);
afterAll(async () => {
  await receiver?.close();
  await own?.close();
  await traces?.close();
});

async function payOnAll(): Promise<void> {
  const { stack } = own;
  for (const gateway of pspCodes) {
    const merchant = findMerchant(stack, gateway);
    const api = openApi(stack, merchant);
    const endpoint = await api.createWebhook(receiver.url);
    receiver.trust(endpoint.secret);
    secrets.set(`webhook secret of ${gateway}`, endpoint.secret);
    secrets.set(`test key of ${gateway}`, merchant.test_key);
    secrets.set(`live key of ${gateway}`, merchant.live_key);
    secrets.set(`password of ${gateway}`, merchant.password);
    const group = await newGroup(api, 2);
    await paySlot(stack, api, group, 0, payer('ana'));
    // A decline first: what goes wrong is logged more readily.
    await paySlot(stack, api, group, 1, payer('ben', cards.declined)).catch(() => undefined);
    await api.slotBecomes(group.group_payment.id, 1, 'unassigned');
    await paySlot(stack, api, group, 1, payer('ben'));
    await api.becomes(group.group_payment.id, ['paid']);
    const key = `refund-${gateway}`;
    await refundUntilAnswered(openRequests(stack.api, merchant.test_key), group.group_payment.id, key);
  }
  await connectKnownAccount();
  await payWithKnownCiphertext();
  await payWithToken();
  secrets.set('card number', cards.approved);
  secrets.set('declined card number', cards.declined);
  secrets.set('cardholder', HOLDER);
}

/** Another account for gateway_c, whose key the test knows; a payment on it, refused at the bank and then made. */
async function connectKnownAccount(): Promise<void> {
  const { stack } = own;
  const merchant = findMerchant(stack, 'gateway_c');
  const url = `${stack.sandbox}/control/gateway_c/accounts`;
  const webhook_url = `http://127.0.0.1:${own.opened.ports.callbacks.gateway_c}/callbacks/gateway_c`;
  const { body } = await sendUntilAnswered('POST', url, { name: 'sentinel', webhook_url });
  secrets.set('secret key of an account at gateway_c', String(body['secret_key']));
  const dashboard = await openDashboard(stack, merchant);
  await dashboard.post('gateways', { mode: 'test', psp_code: 'gateway_c', credentials: body });
  const api = openApi(stack, merchant);
  const group = await newGroup(api, 1);
  await paySlot(stack, api, group, 0, payer('ana'));
  await api.becomes(group.group_payment.id, ['paid']);
}

/** A browser pays with a session token; afterwards another token is revoked. */
async function payWithToken(): Promise<void> {
  const { stack } = own;
  const merchant = findMerchant(stack, 'gateway_b');
  const api = openApi(stack, merchant);
  const server = openRequests(stack.api, merchant.test_key);
  const group = await newGroup(api, 1);
  const { id } = group.group_payment;
  const at = `/v1/group-payments/${id}`;
  const token = async (name: string): Promise<string> => {
    const minted = String((await server.post(`${at}/session`, { customer_email: ANA.email })).body['token']);
    // The signature makes a token one; what it says is no secret.
    secrets.set(`session token ${name}`, minted.split('.')[2] ?? minted);
    return minted;
  };
  const browser = openRequests(stack.api, await token('that pays'));
  const once = { 'idempotency-key': 'token-pays' };
  const pay = await browser.post(`${at}/pay`, { customer_email: ANA.email }, once);
  expect(pay.status).toBe(201);
  const card = await buildConfirmRequest(stack, pay.body as Pay, ANA);
  expect((await browser.post(`${at}/confirm`, card)).status).toBe(200);
  await api.becomes(id, ['paid']);
  await token('that is revoked');
  await (await openDashboard(stack, merchant)).post(`group-payments/${id}/revoke-sessions`, { mode: 'test' });
  await eventually(async () => (await browser.get(at)).status === 401 || undefined);
}

/** Confirms with a ciphertext, a holder and a code that the test knows. */
async function payWithKnownCiphertext(): Promise<void> {
  const { stack } = own;
  const api = openApi(stack, findMerchant(stack, 'gateway_b'));
  const group = await newGroup(api, 1);
  const { id } = group.group_payment;
  const pay = await api.pay(id, { customer_email: 'sentinel@payers.example' });
  const number = await encrypt(stack, pay, cards.approved);
  const code = await encrypt(stack, pay, CODE.slice(0, 3));
  secrets.set('encrypted number', number.split(':').at(-2) ?? number);
  secrets.set('encrypted code', code.split(':').at(-2) ?? code);
  await api.confirm(id, {
    payment_intent_id: pay.payment_intent_id,
    card: {
      cardholder_name: HOLDER,
      encrypted_card_number: number,
      expiration_month: 7,
      expiration_year: 2037,
      encrypted_security_code: code,
    },
  });
  await api.becomes(id, ['paid']);
}

/** Names of the secrets that a text holds. */
function found(text: string): string[] {
  return [...secrets].filter(([, secret]) => text.includes(secret)).map(([name]) => name);
}

describe('no card field, ciphertext, key, token, password or webhook secret appears', () => {
  it('no card field, ciphertext, key, token, password or webhook secret is in any row of any table', async () => {
    const client = new pg.Client({ connectionString: own.stack.postgres });
    await client.connect();
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    expect(tables.length).toBeGreaterThan(30);
    const leaks: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(`select t::text as text from ${name} t`);
      leaks.push(...rows.flatMap(({ text }) => found(text).map((secret) => `${name}: ${secret}`)));
    }
    await client.end();
    expect(leaks).toEqual([]);
  });

  it('the private part of every signing key is sealed', async () => {
    const client = new pg.Client({ connectionString: own.stack.postgres });
    await client.connect();
    const { rows } = await client.query<{ text: string }>(
      `select k::text as text from checkout.signing_keys k`,
    );
    await client.end();
    expect(rows.length).toBeGreaterThanOrEqual(2);
    for (const { text } of rows) {
      // A private part in clear would be the member `d` of a JWK, or a PKCS #8 in PEM or, as bytes, in DER.
      expect(text).not.toMatch(/"d"|PRIVATE KEY|302e020100300506032b6570/i);
      const hex = Buffer.from('"d":').toString('hex');
      expect(text).not.toContain(hex);
    }
  });

  it('no secret is in any file of the database, its write-ahead log or the message streams', async () => {
    const leaks: string[] = [];
    for (const folder of ['postgres', 'nats'])
      for (const file of await filesBelow(join(own.dataDir, folder))) {
        const text = await readFile(file, 'latin1').catch(() => '');
        leaks.push(...found(text).map((secret) => `${file.slice(own.dataDir.length)}: ${secret}`));
      }
    expect(leaks).toEqual([]);
  });

  it('no secret is in any log line at the debug level', async () => {
    const text = await readFile(join(own.dataDir, 'services.log'), 'utf8');
    expect(text.length).toBeGreaterThan(10_000);
    expect(found(text)).toEqual([]);
    expect(text).not.toMatch(/ev:[A-Za-z0-9]{4}:/);
    expect(text).not.toMatch(/whsec_|sk_(test|live|sandbox)_[A-Za-z0-9]/);
    // A token of any kind begins with its header: {"alg" or {"typ" in base64url.
    expect(text).not.toMatch(/eyJ(hbGciOi|0eXAiOi|raWQiOi)/);
    expect(text).not.toContain('@payers.example');
  });

  it('no secret is in any span', () => {
    const text = traces.text();
    expect(text.length).toBeGreaterThan(10_000);
    expect(found(text)).toEqual([]);
    expect(text).not.toContain('@payers.example');
  });
});

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
