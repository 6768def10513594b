import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { card, createBody } from './support/edge.ts';
import { openService, type Service } from './support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterEach(() => service.reset());
afterAll(() => service?.close());

const groups = '/v1/group-payments';
const group = '0198c3f0-0000-7000-8000-00000000000a';
const intent = '0198c3f0-0000-7000-8000-00000000000c';

it('an error of the running process links to the row of its code in the reference that the process serves (Q33)', async () => {
  const { edge, client } = await service.start({ API_URL: 'https://api.example.com/' });
  const { body } = await client.get('/v1/group-payments?limit=0');
  expect(body['doc_url']).toBe('https://api.example.com/docs#error-validation_error');
  const page = await fetch(`http://127.0.0.1:${await edge.port}/docs`);
  expect(await page.text()).toContain('id="error-validation_error"');
});

describe('what the process leaves behind', () => {
  it('no card field, secret key or client secret is in any log line, table or stream', async () => {
    const secret = 'pi_1_secret_sentinel';
    service.fakes.answers.pay = () =>
      Promise.resolve({
        psp_code: 'gateway_a',
        payment_intent_id: intent,
        amount_minor: '100',
        currency: 'EUR',
        slot_ids: [],
        client: { client_secret: secret, gateway_a_account_id: 'acct', publishable_key: 'pk' },
      });
    const { edge, client } = await service.start({ LOG_LEVEL: 'debug' });
    const confirm = `${groups}/${group}/confirm`;
    const body = { payment_intent_id: intent, card };
    await client.post(confirm, body, { idempotencyKey: 'card-1' });
    await client.post(confirm, { ...body, card: { ...card, expiration_month: 99 } });
    service.fakes.answers.card = () => Promise.reject(new Error(`failed with ${card.encrypted_card_number}`));
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
    expect(edge.output()).toMatch(/"merchant_id":"m1","mode":"test".*\/confirm answered 200/);
    const logged = await service.db.pool.query('select from request_logs where path like $1', [`%${group}%`]);
    expect(logged.rows).toHaveLength(5);
    const { rows } = await service.db.pool.query<{ text: string }>(
      `select to_jsonb(t)::text as text from idempotency_keys t union all select to_jsonb(t)::text from api_keys t
       union all select to_jsonb(t)::text from dead_letters t union all select to_jsonb(t)::text from outbox t
       union all select to_jsonb(t)::text from request_logs t`,
    );
    const hex = (text: string) => Buffer.from(text).toString('hex');
    const everything = edge.output() + JSON.stringify(rows);
    for (const word of ['sentinel', 'Lovelace', 'ev:Tk9D', service.key.slice(8, 40)]) {
      expect(everything).not.toContain(word);
      expect(everything).not.toContain(hex(word));
    }
  });

  it('one line is logged per request, with its route, status and request id', async () => {
    const { edge, client } = await service.start();
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
    const { client } = await service.start({ CHECKOUT_URL });
    expect((await client.get('/v1/nowhere')).headers['strict-transport-security']).toBe(header);
  });
});

it('security.txt names the contact of the settings (Y5)', async () => {
  const { edge } = await service.start({ SECURITY_CONTACT: 'mailto:security@pay.example' });
  const url = `http://127.0.0.1:${await edge.port}/.well-known/security.txt`;
  const answer = await fetch(url, { headers: { connection: 'close' } });
  expect([answer.status, await answer.text()]).toEqual([
    200,
    expect.stringContaining('Contact: mailto:security@pay.example\n'),
  ]);
});

describe('starting and stopping', () => {
  it('every fault of the configuration is logged at once, and no secret with it', async () => {
    const edge = service.launch({ CHECKOUT_URL: 'ftp://x', API_KEY_PEPPER: 'short-sentinel', PORT: 'http' });
    expect((await edge.ended).code).toBe(78);
    expect(edge.output()).toMatch(/PORT[^]*CHECKOUT_URL[^]*API_KEY_PEPPER/);
    expect(edge.output()).not.toContain('sentinel');
  });

  it('an encryption key of the wrong length is refused', async () => {
    const edge = service.launch({ ENCRYPTION_KEY: Buffer.alloc(40).toString('base64') });
    expect((await edge.ended).code).toBe(78);
    expect(edge.output()).toContain('ENCRYPTION_KEY must match');
  });

  it('a stop lets a request in flight finish', async () => {
    let isAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const usual = service.fakes.answers.create;
    service.fakes.answers.create = async (command) => {
      isAsked();
      await answered;
      return usual(command);
    };
    const { edge, client } = await service.start();
    const reply = client.post(groups, createBody());
    await asked;
    const stopped = edge.stop();
    answer();
    expect((await reply).status).toBe(201);
    expect((await stopped).code).toBe(0);
  });
});
