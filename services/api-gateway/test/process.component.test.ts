import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openBus, type Bus } from '@gp/bus';
import type { Db } from '@gp/pg';
import {
  eventually,
  patientPg,
  testDatabase,
  testNats,
  type OwnServer,
  type TestDatabase,
} from '@gp/testing';
import { followKeys } from '../src/app/directories/follow-changes.ts';
import { openClient, type Client } from './support/client.ts';
import { fakeNeighbours, type Fakes } from './support/fakes.ts';
import {
  card,
  checkoutUrl,
  createBody,
  encryptionKey,
  toKeyMessage,
  newKey,
  pepper,
  schemas,
} from './support/edge.ts';
import { startProcess, type EdgeProcess } from './support/process.ts';

let database: TestDatabase;
let nats: OwnServer;
let others: Bus;
let db: Db;
let fakes: Fakes;
const { key, record } = newKey('test');
const running: EdgeProcess[] = [];
const clients: Client[] = [];

beforeAll(async () => {
  database = await testDatabase({ schemas });
  nats = await testNats();
  others = await openBus({ servers: nats.url, name: 'others' });
  await others.ensureStreams();
  db = await patientPg({ url: database.url('api_gateway'), name: 'test', max: 2 });
  fakes = fakeNeighbours(others);
  await followKeys(db)(record);
});
afterAll(async () => {
  await fakes?.close();
  await others?.close();
  await db?.close();
  await nats?.stop();
  await database?.drop();
});
beforeEach(() => fakes.reset());
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await Promise.all(running.splice(0).map((edge) => edge.stop('SIGKILL')));
});

const environment = (o: Record<string, string> = {}) => ({
  DATABASE_URL: database.url('api_gateway'),
  NATS_URL: nats.url,
  PORT: '0',
  METRICS_PORT: '0',
  CHECKOUT_URL: checkoutUrl,
  API_KEY_PEPPER: pepper,
  ENCRYPTION_KEY: encryptionKey,
  IDEMPOTENCY_LEASE_MS: '1000',
  ...o,
});
async function start(o: Record<string, string> = {}): Promise<{ edge: EdgeProcess; client: Client }> {
  const edge = startProcess(environment(o));
  running.push(edge);
  const client = openClient(await edge.port, key);
  clients.push(client);
  return { edge, client };
}

const identities = (received: readonly { command_id: string }[]): number =>
  new Set(received.map(({ command_id }) => command_id)).size;
const groups = '/v1/group-payments';
const group = '0198c3f0-0000-7000-8000-00000000000a';
const intent = '0198c3f0-0000-7000-8000-00000000000c';

describe('a process killed at a step', () => {
  it.each([
    ['idempotency-begin.before', 0],
    ['idempotency-begin.after', 0],
    ['create.before', 0],
    ['create.after', 1],
    ['idempotency-keep.before', 1],
    ['idempotency-keep.after', 1],
  ])('a create killed at %s: the retry gets one group, under one identity', async (step, done) => {
    const idempotencyKey = `crash-${step}`;
    const body = createBody();
    const first = await start({ GP_FAIL_POINT: `api_gateway.${step}` });
    await expect(first.client.post(groups, body, { idempotencyKey })).rejects.toThrow();
    expect((await first.edge.ended).signal).toBe('SIGKILL');
    // A request without an answer for two seconds is sent again, under the same identity.
    expect(identities(fakes.received.create)).toBe(done);

    const second = await start();
    // Until the dead process' lease lapses the key is in use, which the wait of the edge itself covers.
    const retry = await second.client.post(groups, body, { idempotencyKey });
    expect(retry.status).toBe(201);
    expect(identities(fakes.received.create)).toBe(1);
    const third = await second.client.post(groups, body, { idempotencyKey });
    expect(third.text).toBe(retry.text);
    expect(third.headers['idempotent-replayed']).toBe('true');
  });

  it.each(['pay.before', 'pay.after'])(
    'a pay killed at %s: the retry resumes the same payment',
    async (step) => {
      const idempotencyKey = `crash-${step}`;
      const path = `${groups}/${group}/pay`;
      const body = { customer_email: 'ada@example.com' };
      const first = await start({ GP_FAIL_POINT: `api_gateway.${step}` });
      await expect(first.client.post(path, body, { idempotencyKey })).rejects.toThrow();
      const second = await start();
      expect((await second.client.post(path, body, { idempotencyKey })).status).toBe(201);
      expect(identities(fakes.received.pay)).toBe(1);
    },
  );

  it.each(['confirm-begin.before', 'confirm-begin.after', 'confirm-card.before', 'confirm-card.after'])(
    'a confirm killed at %s: nothing of the card is left behind, and a new process accepts the confirm again',
    async (step) => {
      const path = `${groups}/${group}/confirm`;
      const first = await start({ GP_FAIL_POINT: `api_gateway.${step}` });
      await expect(first.client.post(path, { payment_intent_id: intent, card })).rejects.toThrow();
      const second = await start();
      expect((await second.client.post(path, { payment_intent_id: intent, card })).status).toBe(200);
      expect(first.edge.output() + second.edge.output()).not.toContain('sentinel');
    },
  );

  it.each(['key-projection.before', 'key-projection.after'])(
    'a process killed at %s does not lose the announcement of a key',
    async (step) => {
      const { record } = newKey('test');
      const first = await start({ GP_FAIL_POINT: `api_gateway.${step}` });
      await others.publish(toKeyMessage(record));
      await first.edge.ended;
      await start();
      const isKnown = async () => {
        const { rows } = await db.pool.query('select 1 from api_keys where key_id = $1', [record.key_id]);
        return rows.length > 0 || undefined;
      };
      // The server delivers the message again once it takes the first receiver for dead.
      await eventually(isKnown);
    },
  );
});

describe('what the process leaves behind', () => {
  it('no card field, secret key or client secret is in any log line, table or stream', async () => {
    const secret = 'pi_1_secret_sentinel';
    fakes.answers.pay = () =>
      Promise.resolve({
        psp_code: 'gateway_a',
        payment_intent_id: intent,
        amount_minor: '100',
        currency: 'EUR',
        slot_ids: [],
        client: { client_secret: secret, gateway_a_account_id: 'acct', publishable_key: 'pk' },
      });
    const { edge, client } = await start({ LOG_LEVEL: 'debug' });
    const confirm = `${groups}/${group}/confirm`;
    const body = { payment_intent_id: intent, card };
    await client.post(confirm, body, { idempotencyKey: 'card-1' });
    await client.post(confirm, { ...body, card: { ...card, expiration_month: 99 } });
    fakes.answers.card = () => Promise.reject(new Error(`failed with ${card.encrypted_card_number}`));
    await client.post(confirm, body);
    await client.post(confirm, JSON.stringify(body).slice(0, -2));
    const pay = await client.post(
      `${groups}/${group}/pay`,
      { customer_email: 'sentinel@example.com' },
      { idempotencyKey: 'pay-1' },
    );
    expect(pay.body['client_secret']).toBe(secret);
    expect((await edge.stop()).code).toBe(0);

    expect(edge.output()).toContain('/confirm answered 200');
    const { rows } = await db.pool.query<{ text: string }>(
      `select to_jsonb(t)::text as text from idempotency_keys t union all select to_jsonb(t)::text from api_keys t
       union all select to_jsonb(t)::text from dead_letters t union all select to_jsonb(t)::text from outbox t`,
    );
    const hex = (text: string) => Buffer.from(text).toString('hex');
    const everything = edge.output() + JSON.stringify(rows);
    for (const word of ['sentinel', 'Lovelace', 'ev:Tk9D', key.slice(8, 40)]) {
      expect(everything).not.toContain(word);
      expect(everything).not.toContain(hex(word));
    }
  });

  it('one line is logged per request, with its route, status and request id', async () => {
    const { edge, client } = await start();
    const reply = await client.get(`${groups}/${group}`);
    await edge.stop();
    const lines = edge
      .output()
      .split('\n')
      .filter((line) => line.includes(String(reply.headers['request-id'])));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      route: '/v1/group-payments/:id',
      method: 'GET',
      status: 404,
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });
});

describe('browsers', () => {
  it.each([
    ['https://pay.example', 'max-age=63072000; includeSubDomains'],
    ['http://pay.example', undefined],
  ])('browsers get the HSTS header of pages at %s with every response (X3)', async (CHECKOUT_URL, header) => {
    const { client } = await start({ CHECKOUT_URL });
    expect((await client.get('/v1/nowhere')).headers['strict-transport-security']).toBe(header);
  });
});

it('security.txt names the contact of the settings (Y5)', async () => {
  const { edge } = await start({ SECURITY_CONTACT: 'mailto:security@pay.example' });
  const url = `http://127.0.0.1:${await edge.port}/.well-known/security.txt`;
  const answer = await fetch(url, { headers: { connection: 'close' } });
  expect([answer.status, await answer.text()]).toEqual([
    200,
    expect.stringContaining('Contact: mailto:security@pay.example\n'),
  ]);
});

describe('starting and stopping', () => {
  it('every fault of the configuration is logged at once, and no secret with it', async () => {
    const edge = startProcess(
      environment({ CHECKOUT_URL: 'ftp://x', API_KEY_PEPPER: 'short-sentinel', PORT: 'http' }),
    );
    expect((await edge.ended).code).toBe(78);
    expect(edge.output()).toMatch(/PORT[^]*CHECKOUT_URL[^]*API_KEY_PEPPER/);
    expect(edge.output()).not.toContain('sentinel');
  });

  it('an encryption key of the wrong length is refused', async () => {
    const edge = startProcess(environment({ ENCRYPTION_KEY: Buffer.alloc(40).toString('base64') }));
    expect((await edge.ended).code).toBe(78);
    expect(edge.output()).toContain('ENCRYPTION_KEY must match');
  });

  it('a stop lets a request in flight finish', async () => {
    let isAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const usual = fakes.answers.create;
    fakes.answers.create = async (command) => {
      isAsked();
      await answered;
      return usual(command);
    };
    const { edge, client } = await start();
    const reply = client.post(groups, createBody());
    await asked;
    const stopped = edge.stop();
    answer();
    expect((await reply).status).toBe(201);
    expect((await stopped).code).toBe(0);
  });
});
