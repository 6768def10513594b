import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sealWith } from '@gp/seal';
import { eventually } from '@gp/testing';
import { uuidv7 } from 'uuidv7';
import {
  createIntent,
  heldIntent,
  merchantA,
  type MerchantA,
} from '../../gateway-adapters/stripe/test/merchant.ts';
import {
  heldPayment,
  merchantB,
  pay,
  step,
  type MerchantB,
} from '../../gateway-adapters/checkout-com/test/merchant.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { startSandbox, type Sandbox } from './sandbox.ts';
import { call, openTester, type Tester } from './tester.ts';

let sandbox: Sandbox;
let tester: Tester;
let receiver: Receiver;
let a: MerchantA;
let b: MerchantB;

beforeAll(async () => {
  sandbox = await startSandbox();
  tester = openTester(sandbox.url);
});

beforeEach(async () => {
  receiver = await startReceiver();
  [a, b] = await Promise.all([
    merchantA(sandbox, tester, receiver.url),
    merchantB(sandbox, tester, receiver.url),
  ]);
});

afterEach(() => receiver.stop());
afterAll(() => sandbox.stop());

async function killAndRestart(): Promise<void> {
  await sandbox.kill();
  await sandbox.start();
}

const sql = <Row>(text: string): Promise<Row[]> => sandbox.sql<Row>(text);

describe('started with a new encryption key and the one before it, the sandbox', () => {
  it('the sandbox seals its secrets again by itself under a new encryption key, and then needs the new key only (Y1, Y2)', async () => {
    const id = await heldPayment(b);
    const ENCRYPTION_KEY = randomBytes(32).toString('base64');
    const { newest } = sealWith({ encryptionKey: ENCRYPTION_KEY }).keyIds;
    await sandbox.kill();
    await sandbox.start({ ENCRYPTION_KEY, PREVIOUS_ENCRYPTION_KEYS: sandbox.encryptionKey });
    await eventually(async () => {
      const left = await sql(`select from accounts where key_id <> '${newest}'`);
      return left.length === 0 || undefined;
    });
    await sandbox.kill();
    await sandbox.start({ PREVIOUS_ENCRYPTION_KEYS: undefined });
    const headers = { Authorization: `Bearer ${b.credentials.processor_secret_key}` };
    expect((await call('GET', `${b.processor}/payments/${id}`, { headers })).status).toBe(200);
  });
});

describe('killed and started again, the sandbox', () => {
  it('the sandbox knows its payments, accounts, faults, latency and idempotency keys after a kill', async () => {
    const [key, intent] = [uuidv7(), uuidv7()];
    const made = await createIntent(a, { key, intent });
    const id = await heldPayment(b);
    await tester.fault('gateway_b', 'query', 'rate_limit', 1, { psp_reference: id });
    await killAndRestart();
    expect(await createIntent(a, { key, intent })).toEqual(made);
    expect(await tester.page(id)).toMatchObject({ status: 'authorised', authorised_minor: 1500 });
    const headers = { Authorization: `Bearer ${b.credentials.processor_secret_key}` };
    expect((await call('GET', `${b.processor}/payments/${id}`, { headers })).status).toBe(429);
    expect((await call('GET', `${b.processor}/payments/${id}`, { headers })).status).toBe(200);
  });

  it('the sandbox finishes after a kill what it had accepted', async () => {
    const id = await heldPayment(b);
    await step(b, id, 'captures');
    await killAndRestart();
    expect(await tester.becomes(id, 'captured')).toMatchObject({ captured_minor: 1500 });
    expect(await tester.calls(id, 'capture')).toEqual(['ok']);
  });

  it('the sandbox sends after a kill the callbacks it still owes', async () => {
    receiver.answerWith(0);
    const id = await heldPayment(b);
    await receiver.first(({ type }) => type === 'payment_approved');
    // It dies while it waits for the answer, so it cannot know whether the callback has arrived.
    await sandbox.kill();
    receiver.answerWith(200);
    await sandbox.start();
    await eventually(async () => {
      const { callbacks } = await tester.page(id);
      return callbacks.every(({ state }) => state === 'delivered') ? true : undefined;
    });
  });

  it('the sandbox continues after a kill with the key of the interrupted request, and makes one payment', async () => {
    const [key, intent] = [uuidv7(), uuidv7()];
    await tester.fault('gateway_b', 'authorise', 'delay:60000', 1, { payment_intent_id: intent });
    const dying = pay(b, { key, intent }).catch(() => 'cut off');
    await eventually(
      async () =>
        (await sql(`select 1 from idempotency_keys where key like '%${key}' and claimed_by is not null`))[0],
    );
    await sandbox.kill();
    expect(await dying).toBe('cut off');
    await sandbox.start();
    expect(await pay(b, { key, intent })).toMatchObject({ status: 201 });
    expect(await tester.books(intent)).toHaveLength(1);
  });
});

describe('holds', () => {
  it.each(['gateway_a', 'gateway_b'] as const)(
    'holds on %s: end by themselves when their time is over',
    async (gateway) => {
      const id = gateway === 'gateway_a' ? (await heldIntent(a, sandbox)).id : await heldPayment(b);
      await sql(
        `update payments set hold_expires_at = now() - interval '1 minute' where psp_reference = '${id}'`,
      );
      await sql(
        `update works set due_at = now() - interval '1 minute' where psp_reference = '${id}' and kind = 'lapse'`,
      );
      await tester.becomes(id, 'expired');
      const type = gateway === 'gateway_a' ? 'payment_intent.canceled' : 'payment_expired';
      await receiver.first((body) => body.type === type && JSON.stringify(body).includes(id));
    },
  );

  it('holds cannot be captured after their time, even before their end is recorded', async () => {
    const { id } = await heldIntent(a, sandbox);
    await sql(
      `update payments set hold_expires_at = now() - interval '1 minute' where psp_reference = '${id}'`,
    );
    await expect(a.stripe.paymentIntents.capture(id)).rejects.toMatchObject({
      code: 'charge_expired_for_capture',
    });
  });

  it('holds end at a tester’s command as after seven days', async () => {
    const [{ id }, other] = [await heldIntent(a, sandbox), await heldPayment(b)];
    await tester.control('POST', `payments/${id}/lapse`);
    await tester.control('POST', `payments/${other}/lapse`);
    expect(await a.stripe.paymentIntents.retrieve(id)).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'expired',
    });
    expect(await tester.page(other)).toMatchObject({ status: 'expired', captured_minor: 0 });
    await receiver.first(({ type }) => type === 'payment_expired');
    await receiver.first(({ type }) => type === 'charge.expired');
    await expect(tester.control('POST', `payments/${id}/lapse`)).rejects.toThrow(/409/);
  });
});

describe("what is done in the gateway's own dashboard", () => {
  it("an operation in the gateway's own dashboard is in the books and is sent by callback", async () => {
    for (const gateway of ['gateway_a', 'gateway_b'] as const) {
      const hold = async () => (gateway === 'gateway_a' ? (await heldIntent(a, sandbox)).id : heldPayment(b));
      const act = (id: string, action: string) =>
        tester.control('POST', `payments/${id}/external`, { action });
      const [first, second] = [await hold(), await hold()];
      await act(first, 'capture');
      await tester.becomes(first, 'captured');
      await act(second, 'void');
      await tester.becomes(second, 'voided');
      await act(first, 'refund');
      expect(await tester.becomes(first, 'refunded')).toMatchObject({ refunded_minor: 1500 });
      expect(await tester.calls(first, 'capture')).toEqual(['external']);
      const types =
        gateway === 'gateway_a'
          ? ['payment_intent.succeeded', 'charge.refunded']
          : ['payment_captured', 'payment_refunded'];
      for (const type of types)
        await receiver.first((body) => body.type === type && JSON.stringify(body).includes(first));
      await expect(act(first, 'void')).rejects.toThrow(/409/);
    }
  });

  it('a disputed payment cannot be refunded', async () => {
    const [{ id }, other] = [await heldIntent(a, sandbox), await heldPayment(b)];
    await a.stripe.paymentIntents.capture(id);
    await step(b, other, 'captures');
    await tester.becomes(other, 'captured');
    for (const reference of [id, other])
      await tester.control('POST', `payments/${reference}/external`, { action: 'dispute' });
    await expect(a.stripe.refunds.create({ payment_intent: id })).rejects.toMatchObject({
      code: 'charge_disputed',
    });
    expect(await step(b, other, 'refunds')).toMatchObject({ status: 403 });
    await receiver.first(({ type }) => type === 'charge.dispute.created');
    await receiver.first(({ type }) => type === 'dispute_received');
  });
});

describe('secrets', () => {
  it('no card number, ciphertext or readable secret is in any table or log line', async () => {
    await heldIntent(a, sandbox);
    await pay(b, { number: '5555555555554444' });
    await tester.control('PUT', 'gateway_a/webhook_endpoint', { url: receiver.url, secret: 'whsec_shared' });
    const app = b.credentials.app_id;
    const { encrypted } = (await tester.control('POST', 'gateway_b/encrypt', {
      value: '4242424242424242',
      app,
    })) as {
      encrypted: string;
    };
    await pay(b, { number: encrypted });
    const tables = await sql<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'psp_sandbox' and tablename <> 'migrations'`,
    );
    const rows = await Promise.all(
      tables.map(({ name }) => sql<{ text: string }>(`select t::text as text from ${name} t`)),
    );
    const everything =
      rows
        .flat()
        .map(({ text }) => text)
        .join('\n') + sandbox.log();
    expect(tables.length).toBeGreaterThan(8);
    const { secret_key, webhook_secret } = a.credentials;
    const { relay_api_key, processor_secret_key } = b.credentials;
    const secrets = [
      secret_key,
      webhook_secret,
      relay_api_key,
      processor_secret_key,
      b.credentials.webhook_secret,
    ];
    for (const text of [
      '4242424242424242',
      '5555555555554444',
      'ev:QkTC',
      'Ada Lovelace',
      'whsec_shared',
      ...secrets,
    ]) {
      expect(everything.includes(text)).toBe(false);
    }
  });
});

it('a repeated request for an account of the same name gives the same credentials', async () => {
  const name = uuidv7();
  for (const gateway of ['gateway_a', 'gateway_b']) {
    const first = await tester.control('POST', `${gateway}/accounts`, { name, webhook_url: receiver.url });
    await killAndRestart();
    expect(await tester.control('POST', `${gateway}/accounts`, { name })).toEqual(first);
  }
});
