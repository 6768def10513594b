import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, Group, Json, Pay } from '../support/api.ts';
import { openApi, inSeconds, newGroup, payer } from '../support/journey.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { cards, buildConfirmRequest } from '../support/payer.ts';
import { brokenPromises } from '../support/promises.ts';
import { expectError, openRequests, type Requests } from '../support/requests.ts';
import { findMerchant, type StackFile } from '../support/stack.ts';

const GROUPS = '/v1/group-payments';
const NOWHERE = '018f0000-0000-7000-8000-000000000000';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

let shared: SharedStack;
let stack: StackFile;
/** One merchant's test key, its live key, another merchant's test key, and a merchant without a gateway. */
let mine: Requests;
let live: Requests;
let others: Requests;
let unconnected: Requests;
let webhookId: string;
let group: Group;

beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_a', 'gateway_b', 'gateway_c', null] });
  stack = shared.stack;
  const merchant = findMerchant(stack, 'gateway_b');
  mine = openRequests(stack.api, merchant.test_key);
  live = openRequests(stack.api, merchant.live_key);
  others = openRequests(stack.api, findMerchant(stack, 'gateway_a').test_key);
  unconnected = openRequests(stack.api, findMerchant(stack, null).test_key);
  group = await newGroup(openApi(stack, merchant), 2);
  webhookId = String((await mine.post('/v1/webhooks', { url: 'https://merchant.example/hooks' })).body['id']);
});
afterAll(() => shared?.close());

const order = (o: Json = {}): Json => ({
  group_name: 'Dinner',
  total_amount: 30,
  currency: 'EUR',
  expires_at: inSeconds(3_600),
  distribution: { type: 'equally', number_of_slots: 3 },
  ...o,
});
const payment = (o: Json = {}): Json => ({ customer_email: 'ana@payers.example', ...o });
const card = {
  cardholder_name: 'Ana',
  encrypted_card_number:
    'ev:QkTC:c2FtcGxlLWl2LW51:A2xmc2FtcGxlLWVwaGVtZXJhbC1wdWJsaWMta2V5LXh4:c2FtcGxlLWNhcmQtbnVtYmVy:$',
  expiration_month: 12,
  expiration_year: 2034,
  encrypted_security_code:
    'ev:QkTC:c2FtcGxlLWl2LWNv:A2xmc2FtcGxlLWVwaGVtZXJhbC1wdWJsaWMta2V5LXh4:c2FtcGxlLXNlY3VyaXR5LWNvZGU:$',
};
const groupPath = (suffix = '', id = group.group_payment.id) => `${GROUPS}/${id}${suffix}`;
const call = (http: Requests, method: string, path: string, body?: unknown): Promise<Answer> =>
  http[method.toLowerCase() as keyof Requests](path, body);
const readGroup = (answer: Answer): Group => answer.body as unknown as Group;

const operations: [string, () => string, unknown?][] = [
  ['GET', () => GROUPS],
  ['POST', () => GROUPS, order()],
  ['GET', () => groupPath()],
  ['PATCH', () => groupPath(), { group_name: 'Dinner' }],
  ['POST', () => groupPath('/pay'), payment()],
  ['POST', () => groupPath('/confirm'), { payment_intent_id: NOWHERE, card }],
  ['POST', () => groupPath('/roll-checkout-link')],
  ['POST', () => groupPath('/roll-organiser-link')],
  ['POST', () => groupPath('/cancel')],
  ['GET', () => groupPath('/payments')],
  ['GET', () => '/v1/webhooks'],
  ['POST', () => '/v1/webhooks', { url: 'https://merchant.example' }],
  ['GET', () => `/v1/webhooks/${webhookId}`],
  ['PATCH', () => `/v1/webhooks/${webhookId}`, { enabled: true }],
  ['DELETE', () => `/v1/webhooks/${webhookId}`],
  ['POST', () => `/v1/webhooks/${webhookId}/roll-secret`, { overlap_seconds: 0 }],
  ['POST', () => `/v1/webhooks/${webhookId}/test`, { event_type: 'group_payment.paid' }],
  ['GET', () => `/v1/webhooks/${webhookId}/deliveries`],
  ['POST', () => `/v1/webhooks/${webhookId}/deliveries/${NOWHERE}/resend`],
  ['POST', () => `/v1/webhooks/${webhookId}/recover`, { since: new Date().toISOString() }],
  ['GET', () => `/v1/webhooks/${webhookId}/recoveries/${NOWHERE}`],
  ['GET', () => '/v1/events'],
];

describe('authentication', () => {
  it('authentication is required by every operation, with one response for no key, a malformed key and an unknown key', async () => {
    const keys = [
      undefined,
      'junk',
      `sk_test_${'a'.repeat(38)}`,
      'sk_live_',
      `${findMerchant(stack, null).test_key}x`,
    ];
    for (const [method, path, body] of operations)
      for (const key of keys)
        expectError(await call(openRequests(stack.api, key), method, path(), body), 401, 'unauthorized');
  });
});

describe('a resource that this merchant does not have in this mode', () => {
  it('a resource is a 404 whether it is unknown, malformed, another merchant’s or the other mode’s', async () => {
    const requests = operations.filter(([, path]) => path().split('/').length > 3);
    for (const [method, path, body] of requests) {
      const noun = path().includes('webhooks') ? 'webhook endpoint' : 'group payment';
      const text = path().endsWith('confirm') ? undefined : `${noun} not found`;
      const known = path().includes('webhooks') ? webhookId : group.group_payment.id;
      for (const http of [others, live])
        expectError(await call(http, method, path(), body), 404, 'not_found', text);
      for (const id of [NOWHERE, 'no-uuid'])
        expectError(await call(mine, method, path().replace(known, id), body), 404, 'not_found', text);
    }
  });

  it('a payment of another merchant or mode cannot be confirmed', async () => {
    const fresh = readGroup(await mine.post(GROUPS, order()));
    const path = groupPath('/pay', fresh.group_payment.id);
    const started = (await mine.post(path, payment())).body as Pay;
    const body = await buildConfirmRequest(stack, started, payer('thief'));
    for (const http of [others, live])
      expectError(await http.post(path.replace('/pay', '/confirm'), body), 404, 'not_found');
    // The path is routing only: the payment is found by its id under any group of the merchant.
    expect((await mine.post(groupPath('/confirm'), body)).status).toBe(200);
  });
});

describe('transport', () => {
  it('unknown routes, wrong methods, types, sizes and JSON are refused in the documented shape', async () => {
    expectError(await mine.get('/v1/nothing'), 404, 'route_not_found');
    const wrong = await mine.delete(groupPath());
    expectError(wrong, 405, 'method_not_allowed');
    expect(wrong.headers.get('allow')).toContain('GET');
    expectError(
      await mine.post(GROUPS, order(), { 'content-type': 'text/plain' }),
      415,
      'unsupported_media_type',
    );
    expectError(
      await mine.post(GROUPS, order({ metadata: { a: 'x'.repeat(300_000) } })),
      413,
      'payload_too_large',
    );
    const { test_key } = findMerchant(stack, 'gateway_b');
    const headers = { authorization: `Bearer ${test_key}`, 'content-type': 'application/json' };
    const response = await fetch(stack.api + GROUPS, { method: 'POST', headers, body: '{"group_name":' });
    const body = (await response.json()) as Json;
    expectError({ status: response.status, headers: response.headers, body }, 400, 'invalid_json');
  });

  it('an error of the running platform links to the row of its code in the reference (Q33)', async () => {
    const { body } = await mine.get('/v1/nothing');
    const link = new URL(String(body['doc_url']));
    const page = await fetch(link);
    expect([page.status, link.hash]).toEqual([200, '#error-route_not_found']);
    expect(await page.text()).toContain(`id="${link.hash.slice(1)}"`);
  });
});

describe('POST /v1/group-payments', () => {
  it('a create returns the group and its slots with every documented field', async () => {
    const answer = await mine.post(
      GROUPS,
      order({
        metadata: { table: 4 },
        distribution: { type: 'custom', slots: [{ amount: 10.5, metadata: { who: 'a' } }, { amount: 19.5 }] },
      }),
    );
    expect(answer.status).toBe(201);
    const merchant_id = findMerchant(stack, 'gateway_b').merchant_id;
    const times = { created_at: expect.stringMatching(INSTANT), updated_at: expect.stringMatching(INSTANT) };
    const { id } = readGroup(answer).group_payment;
    expect(answer.body).toEqual({
      group_payment: {
        id: expect.stringMatching(UUID),
        merchant_id,
        group_name: 'Dinner',
        merchant_order_id: expect.any(String),
        client_reference: null,
        total_amount: 30,
        currency: 'EUR',
        expires_at: expect.stringMatching(INSTANT),
        state: 'open',
        metadata: { table: 4 },
        ...times,
      },
      payment_slots: [
        { amount: 10.5, metadata: { who: 'a' } },
        { amount: 19.5, metadata: {} },
      ].map((slot, index) => ({
        id: expect.stringMatching(UUID),
        merchant_id,
        group_payment_id: id,
        sequence_no: index + 1,
        assigned_customer_id: null,
        currency: 'EUR',
        state: 'unassigned',
        ...slot,
        ...times,
      })),
      checkout_url: expect.stringMatching(/^http/),
    });
    // Q25: the page's address is a secret of its shared.
    expect(answer.body['checkout_url']).not.toContain(id);
    const found = await mine.get(groupPath('', id));
    expect({ status: found.status, body: found.body }).toEqual({ status: 200, body: answer.body });
  });

  it.each<[string, Json, string?]>([
    ['no name', { group_name: undefined }, 'Validation error: group_name: is required'],
    ['an empty name', { group_name: '' }],
    ['a name of 33 characters', { group_name: 'x'.repeat(33) }],
    ['an amount of 0', { total_amount: 0 }, 'Validation error: total_amount: must be at least 0.01'],
    ['an amount as text', { total_amount: '30' }],
    [
      'too many decimals',
      { total_amount: 30.001 },
      'Validation error: total_amount: at most 2 decimals for EUR',
    ],
    ['a small currency', { currency: 'eur' }],
    ['no such currency', { currency: 'XYZ' }],
    ['an expiry in the past', { expires_at: inSeconds(-5) }, 'expiry must be in the future'],
    [
      'an expiry after 8 days',
      { expires_at: inSeconds(691_200) },
      'expiry cannot be more than 7 days in the future',
    ],
    ['an expiry without offset', { expires_at: '2030-01-01T00:00:00' }],
    [
      'an order id',
      { merchant_order_id: 'mine' },
      'Validation error: merchant_order_id: is generated and cannot be supplied',
    ],
    ['an unknown field', { colour: 'red' }, 'Validation error: colour: is not a known field'],
    [
      '51 keys of metadata',
      { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i])) },
    ],
    ['17 kB of metadata', { metadata: { long: 'x'.repeat(17_000) } }],
    ['no slots', { distribution: { type: 'equally', number_of_slots: 0 } }],
    ['31 slots', { distribution: { type: 'equally', number_of_slots: 31 } }],
    ['more slots than cents', { total_amount: 0.02 }],
    [
      'metadata for other slots',
      { distribution: { type: 'equally', number_of_slots: 3, slot_metadata: [] } },
    ],
    ['an unknown distribution', { distribution: { type: 'unfairly' } }],
    [
      'slots that do not add up',
      { distribution: { type: 'custom', slots: [{ amount: 29.99 }] } },
      'sum of slot amounts must equal total amount',
    ],
  ])('a create with %s is a 400', async (_fault, change, ...texts) => {
    const answer = await mine.post(GROUPS, order(change));
    expectError(answer, 400, 'validation_error');
    for (const text of texts) expect(answer.body['message']).toContain(text);
  });
});

describe('GET /v1/group-payments', () => {
  it('the list holds the groups of one merchant and mode, newest first, page by page, without slots', async () => {
    const made: string[] = [];
    for (let i = 0; i < 5; i++)
      made.unshift(
        readGroup(await unconnected.post(GROUPS, order({ group_name: `List ${i}` }))).group_payment.id,
      );
    const list = async (query: string) => {
      const { body, status } = await unconnected.get(`${GROUPS}?${query}`);
      expect(status).toBe(200);
      const { group_payments, pagination } = body as unknown as {
        group_payments: (Group['group_payment'] & Json & { created_at: string })[];
        pagination: Json;
      };
      return { ids: group_payments.map(({ id }) => id), group_payments, pagination };
    };
    const all = await list('');
    expect(all.ids).toEqual(made);
    expect(all.pagination).toEqual({ limit: 20, offset: 0, total: 5, has_more: false, next_cursor: null });
    expect(Object.keys(all.group_payments[0] ?? {}).sort()).toEqual(
      'checkout_url client_reference created_at currency expires_at group_name id merchant_id merchant_order_id metadata state total_amount updated_at'.split(
        ' ',
      ),
    );
    const page = await list('limit=2&offset=2');
    expect(page.ids).toEqual(made.slice(2, 4));
    expect(page.pagination).toMatchObject({ limit: 2, offset: 2, total: 5, has_more: true });
    const { ids: behind } = await list(`limit=2&cursor=${String(page.pagination['next_cursor'])}`);
    expect(behind).toEqual(made.slice(4));
    expect((await list('limit=2&offset=4')).pagination).toMatchObject({ total: 5, has_more: false });
    expect((await list('offset=1000')).pagination).toMatchObject({ total: 5, has_more: false });
    expect((await list('state=open')).ids).toEqual(made);
    expect(await list('state=draft')).toMatchObject({ ids: [], pagination: { total: 0, has_more: false } });
    // Both bounds are inclusive.
    const middle = String(all.group_payments[2]?.created_at);
    expect((await list(`created_after=${middle}`)).ids).toEqual(expect.arrayContaining(made.slice(0, 3)));
    expect((await list(`created_before=${middle}`)).ids).toEqual(expect.arrayContaining(made.slice(2)));
    expect((await list(`created_after=${middle}&created_before=${middle}`)).ids).toContain(made[2]);
    const { live_key } = findMerchant(stack, null);
    const inLive = await openRequests(stack.api, live_key).get(GROUPS);
    expect(inLive.body['pagination']).toMatchObject({ total: 0 });
  });

  it('the list returns a page of a hundred groups with 16 kB of metadata each', async () => {
    const writer = openRequests(stack.api, findMerchant(stack, 'gateway_c').test_key);
    const made: string[] = [];
    for (let batch = 0; batch < 10; batch++) {
      const body = order({ metadata: { note: 'x'.repeat(16_000) } });
      const answers = await Promise.all(Array.from({ length: 10 }, () => writer.post(GROUPS, body)));
      made.push(...answers.map((answer) => readGroup(answer).group_payment.id));
    }
    const { status, body } = await writer.get(`${GROUPS}?limit=100`);
    expect(status).toBe(200);
    const listed = (body['group_payments'] as Group['group_payment'][]).map(({ id }) => id);
    expect(listed.toSorted()).toEqual(made.toSorted());
    expect(body['pagination']).toMatchObject({ limit: 100, total: 100, has_more: false });
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'offset=-1',
    'state=gone',
    'created_after=yesterday',
    'created_before=2030-01-01T00:00:00',
    'limit=1&limit=2',
    'colour=red',
  ])('the list refuses the query %s with 400', async (query) => {
    expectError(await mine.get(`${GROUPS}?${query}`), 400, 'validation_error');
  });
});

describe('POST /v1/group-payments/{id}/pay', () => {
  it.each(['gateway_a', 'gateway_b'])(
    'a pay returns what the card form of %s needs and nothing else',
    async (psp) => {
      const http = psp === 'gateway_a' ? others : mine;
      const fresh = readGroup(await http.post(GROUPS, order()));
      const answer = await http.post(
        groupPath('/pay', fresh.group_payment.id),
        payment({ customer_name: 'Ana' }),
      );
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        psp_code: psp,
        payment_intent_id: expect.stringMatching(UUID),
        amount: 30,
        currency: 'EUR',
        slot_ids: fresh.payment_slots.map(({ id }) => id),
        is_test_mode: true,
        ...(psp === 'gateway_a'
          ? {
              client_secret: expect.stringMatching(/_secret_/),
              gateway_a_account_id: expect.stringMatching(/^acct_/),
              publishable_key: expect.stringMatching(/^pk_/),
            }
          : {
              card_field_team_id: expect.stringMatching(/^team_/),
              card_field_app_id: expect.stringMatching(/^app_/),
            }),
      });
    },
  );

  it.each<[string, Json]>([
    ['no e-mail', { customer_email: undefined }],
    ['an e-mail that is none', { customer_email: 'ana' }],
    ['a name of 101 characters', { customer_name: 'x'.repeat(101) }],
    ['no slots', { slot_ids: [] }],
    ['slots that are no ids', { slot_ids: ['one'] }],
    ['31 slots', { slot_ids: Array.from({ length: 31 }, () => NOWHERE) }],
    ['an unknown field', { amount: 1 }],
  ])('a pay with %s is a 400', async (_fault, change) => {
    expectError(await mine.post(groupPath('/pay'), payment(change)), 400, 'validation_error');
  });

  it('a pay is a 409 with the documented text for a merchant without a gateway in that mode', async () => {
    for (const http of [unconnected, live]) {
      const fresh = readGroup(await http.post(GROUPS, order()));
      const answer = await http.post(groupPath('/pay', fresh.group_payment.id), payment());
      expectError(answer, 409, 'no_active_gateway', 'merchant has no active payment gateway');
    }
  });
});

describe('POST /v1/group-payments/{id}/confirm', () => {
  it.each<[string, Json, Json?]>([
    ['no payment', { payment_intent_id: undefined }],
    ['a card number in the clear', {}, { encrypted_card_number: '4242424242424242' }],
    ['a code in the clear', {}, { encrypted_security_code: '123' }],
    ['a thirteenth month', {}, { expiration_month: 13 }],
    ['a year in the past century', {}, { expiration_year: 1999 }],
    ['no holder', {}, { cardholder_name: '' }],
  ])('a confirm with %s is a 400 that does not echo it', async (_fault, change, ...cardChanges) => {
    const body = {
      payment_intent_id: NOWHERE,
      card: Object.assign({ ...card }, ...cardChanges) as Json,
      ...change,
    };
    const answer = await mine.post(groupPath('/confirm'), body);
    expectError(answer, 400, 'validation_error');
    expect(JSON.stringify(answer.body)).not.toMatch(/\b4242/);
  });

  it('a confirm is a 400 for a payment of gateway_a, which is confirmed in the browser', async () => {
    const fresh = readGroup(await others.post(GROUPS, order()));
    const path = groupPath('/pay', fresh.group_payment.id);
    const { payment_intent_id } = (await others.post(path, payment())).body as Pay;
    const answer = await others.post(path.replace('/pay', '/confirm'), { payment_intent_id, card });
    expectError(answer, 400, 'confirm_not_supported');
  });

  it('a held payment that is confirmed repeatedly gets the same 200, and is held once (Q13)', async () => {
    const fresh = readGroup(await mine.post(GROUPS, order()));
    const path = groupPath('/pay', fresh.group_payment.id);
    const started = (await mine.post(path, payment())).body as Pay;
    const body = await buildConfirmRequest(stack, started, payer('ana', cards.approved));
    const confirm = () => mine.post(path.replace('/pay', '/confirm'), body);
    const answers = [...(await Promise.all([confirm(), confirm(), confirm()])), await confirm()];
    expect(answers.map((answer) => [answer.status, answer.body])).toEqual(
      answers.map(() => [200, { status: 'preauthorised' }]),
    );
    const books = await fetch(
      `${stack.sandbox}/control/books?gateway=gateway_b&reference=${started.payment_intent_id}`,
    );
    expect(((await books.json()) as { payments: unknown[] }).payments).toHaveLength(1);
  });
});

describe('Idempotency-Key', () => {
  const once = (key: string = randomUUID()) => ({ 'idempotency-key': key });

  it('a repeated create gets the same response and creates nothing', async () => {
    const [body, headers] = [order(), once()];
    const [first, ...again] = [
      await mine.post(GROUPS, body, headers),
      await mine.post(GROUPS, body, headers),
      await mine.post(GROUPS, Object.fromEntries(Object.entries(body).reverse()), headers),
    ];
    expect(first?.headers.get('idempotent-replayed')).toBeNull();
    for (const answer of again) {
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 201, body: first?.body });
      expect(answer.headers.get('idempotent-replayed')).toBe('true');
      expect(answer.headers.get('original-request')).toBe(first?.headers.get('request-id'));
    }
  });

  it('ten creates with one key at the same moment make one group', async () => {
    const [body, headers] = [order(), once()];
    const answers = await Promise.all(Array.from({ length: 10 }, () => mine.post(GROUPS, body, headers)));
    expect(
      new Set(answers.map((answer) => `${answer.status} ${readGroup(answer).group_payment.id}`)).size,
    ).toBe(1);
  });

  it('a repeated pay returns the same payment, and a repeated refusal the same error', async () => {
    const fresh = readGroup(await mine.post(GROUPS, order()));
    const path = groupPath('/pay', fresh.group_payment.id);
    const [won, lost] = [once(), once()];
    const first = await mine.post(path, payment(), won);
    const refused = await mine.post(path, payment({ customer_email: 'ben@payers.example' }), lost);
    expectError(refused, 409, 'no_payable_slots');
    const again = await mine.post(path, payment(), won);
    expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const refusedAgain = await mine.post(path, payment({ customer_email: 'ben@payers.example' }), lost);
    expect(refusedAgain).toMatchObject({ status: 409, body: { code: 'no_payable_slots' } });
    expect(refusedAgain.headers.get('idempotent-replayed')).toBe('true');
  });

  it('an Idempotency-Key with another body or path is a 422, and for another merchant it is another key', async () => {
    const headers = once();
    await mine.post(GROUPS, order({ group_name: 'First' }), headers);
    expectError(
      await mine.post(GROUPS, order({ group_name: 'Second' }), headers),
      422,
      'idempotency_key_reused',
    );
    expectError(await mine.post(groupPath('/pay'), payment(), headers), 422, 'idempotency_key_reused');
    const theirs = await others.post(GROUPS, order({ group_name: 'Third' }), headers);
    expect(readGroup(theirs).group_payment.group_name).toBe('Third');
  });

  it('an Idempotency-Key of 256 characters is a 400, one of 255 is accepted, and a refused body leaves the key free', async () => {
    expectError(await mine.post(GROUPS, order(), once('k'.repeat(256))), 400, 'validation_error');
    const headers = once(randomUUID().padEnd(255, 'k'));
    expectError(await mine.post(GROUPS, order({ total_amount: 0 }), headers), 400, 'validation_error');
    expect((await mine.post(GROUPS, order(), headers)).status).toBe(201);
  });
});

it('every promise of the ledger holds after all of this', async () => {
  expect(await brokenPromises(stack)).toEqual([]);
});
