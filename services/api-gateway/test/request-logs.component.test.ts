import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { findRequestLog, listRequestLogs, type RequestOf } from '@gp/contracts';
import { uuidv7 } from 'uuidv7';
import { reapRequestLogs } from '../src/app/request-logs/reap-request-logs.ts';
import { card, createBody, openEdge, type Edge } from './support/edge.ts';

const LOGS = '/v1/request-logs';
const GROUPS = '/v1/group-payments';
const DAY_MS = 86_400_000;
type Entry = Record<string, unknown> & { id: string; request_id: string };

let edge: Edge;
beforeAll(async () => (edge = await openEdge()));
afterAll(() => edge?.close());
beforeEach(async () => {
  edge.fakes.reset();
  await edge.writeRequestLogs();
  await edge.rows('delete from request_logs');
});

async function page(query = '', key = edge.key) {
  await edge.writeRequestLogs();
  const { status, body } = await edge.get(LOGS + query, { key });
  const pagination = body['pagination'] as { has_more: boolean; next_cursor: string | null };
  return { status, body, entries: (body['request_logs'] ?? []) as readonly Entry[], pagination };
}
const list = async (query?: string, key?: string) => (await page(query, key)).entries;
const show = async (id: string, key = edge.key) => edge.get(`${LOGS}/${id}`, { key });

/** Stores requests of the merchant that arrived at these instants (epoch ms), oldest first; returns their ids. */
async function store(
  instants: readonly number[],
  o: { status?: number; path?: string } = {},
): Promise<string[]> {
  const ids = instants.map((ms) => {
    const hex = ms.toString(16).padStart(12, '0');
    return `${hex.slice(0, 8)}-${hex.slice(8)}${uuidv7().slice(13)}`;
  });
  await edge.rows(
    `insert into request_logs (id, merchant_id, mode, request_id, method, route, path, query, status, duration_ms)
     select id, 'm1', 'test', 'req_' || id, 'GET', '${GROUPS}', $3, '', $2, 1 from unnest($1::uuid[]) id`,
    [ids, o.status ?? 200, o.path ?? GROUPS],
  );
  return ids;
}

describe('a logged request', () => {
  it('a request is logged with its route, path, status, duration, key and bodies (Q40)', async () => {
    const sent = await edge.post(GROUPS, createBody({ group_name: 'Logged', metadata: { table: 7 } }));
    const [entry] = await list();
    expect(entry).toEqual({
      id: expect.any(String),
      request_id: sent.headers['request-id'],
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      method: 'POST',
      route: GROUPS,
      path: GROUPS,
      query: '',
      status: 201,
      error_code: null,
      duration_ms: expect.any(Number),
      key_id: edge.record.key_id,
      is_test_mode: true,
    });
    expect(Math.abs(Date.parse(String(entry?.['created_at'])) - Date.now())).toBeLessThan(60_000);
    const { status, body } = await show(entry?.id ?? '');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...entry,
      request_body: { group_name: 'Logged', total_amount: 31.5, metadata: { table: 7 } },
      response_body: { group_payment: { group_name: 'Logged' }, checkout_url: '[redacted]' },
    });
  });

  it('refused requests are logged with the code of the error, also those that a key may not make (Q40)', async () => {
    const { key, record } = await edge.addKey('test', { scopes: ['refunds'] });
    const refused = [
      await edge.get(`${GROUPS}?limit=0`),
      await edge.get(`${GROUPS}/${uuidv7()}`),
      await edge.send('POST', GROUPS, { body: '{', headers: { 'content-type': 'text/plain' } }),
      await edge.get(GROUPS, { key }),
    ];
    expect(
      (await list()).map(({ status, error_code, request_id }) => [status, error_code, request_id]),
    ).toEqual(
      refused.map(({ status, body, headers }) => [status, body['code'], headers['request-id']]).toReversed(),
    );
    expect(await list(`?key_id=${record.key_id}`)).toMatchObject([{ error_code: 'insufficient_scope' }]);
    const [first] = await list('?status_class=4xx&limit=1');
    expect((await show(first?.id ?? '')).body).toMatchObject({
      response_body: { code: 'insufficient_scope' },
    });
  });

  it('a request without a live credential, and a look into the log, are not logged', async () => {
    await edge.get(GROUPS, { key: 'sk_test_junk' });
    await edge.get('/v1/nowhere');
    await list();
    expect(await list()).toEqual([]);
  });

  it('a body of more than 16 kB is not kept, its request is', async () => {
    const note = Array.from({ length: 40 }, (_, i) => [`k${i}`, 'x'.repeat(380)]);
    const slot = { metadata: { note: 'x'.repeat(400) } };
    const distribution = { type: 'equally', number_of_slots: 3, slot_metadata: [slot, slot, slot] };
    await edge.post(GROUPS, createBody({ metadata: Object.fromEntries(note), distribution }));
    const [entry] = await list();
    expect(entry).toMatchObject({ status: 201 });
    expect((await show(entry?.id ?? '')).body).toMatchObject({ request_body: null, response_body: null });
  });

  it('no secret, card, link, name or address of a payer is stored of any request (Q41)', async () => {
    edge.fakes.answers.pay = () =>
      Promise.resolve({
        psp_code: 'gateway_a',
        payment_intent_id: uuidv7(),
        amount_minor: '100',
        currency: 'EUR',
        slot_ids: [],
        client: {
          client_secret: 'pi_1_secret_sentinel',
          gateway_a_account_id: 'acct',
          publishable_key: 'pk_sentinel',
        },
      });
    const created = await edge.post(GROUPS, createBody());
    const { id } = created.body['group_payment'] as { id: string };
    const payer = { customer_email: 'sentinel@example.com', customer_name: 'Sentinel Lovelace' };
    await edge.post(`${GROUPS}/${id}/pay`, payer);
    await edge.post(`${GROUPS}/${id}/pay`, { ...payer, card: '4242 4242 4242 4242' });
    await edge.post(`${GROUPS}/${id}/confirm`, { payment_intent_id: uuidv7(), card });
    await edge.post(`${GROUPS}/${id}/confirm`, {
      payment_intent_id: 'x',
      number: '4242 4242 4242 4242',
      card,
    });
    await edge.get(`${GROUPS}?customer_email=sentinel%40example.com&expand=payments`);
    await edge.get('/v1/customers?customer_email=sentinel%40example.com');
    const hook = await edge.post('/v1/webhooks', { url: 'https://shop.example/hooks' });
    expect(await list()).toHaveLength(8);
    const rows = JSON.stringify(await edge.rows('select * from request_logs'));
    const secrets = [String(hook.body['secret']), String(created.body['checkout_url']), edge.key];
    for (const secret of [...secrets, 'entinel', 'Lovelace', 'ev:Tk9D', '4242 4242', 'ana@example.com'])
      expect(rows).not.toContain(secret);
  });
});

describe('reading the log', () => {
  it('the log is filtered by class of status, method, path, key and request, alone and together (Q40)', async () => {
    const created = await edge.post(GROUPS, createBody());
    const { id } = created.body['group_payment'] as { id: string };
    await edge.get(`${GROUPS}/${id}`);
    await edge.get(`${GROUPS}/${uuidv7()}`);
    const other = await edge.addKey('test');
    const last = await edge.get(GROUPS, { key: other.key });
    const find = async (query: string) =>
      (await list(`?${query}`)).map(({ method, status }) => `${String(method)} ${String(status)}`);
    expect(await find('status_class=2xx')).toEqual(['GET 200', 'GET 200', 'POST 201']);
    expect(await find('status_class=4xx')).toEqual(['GET 404']);
    expect(await find('status_class=5xx')).toEqual([]);
    expect(await find('method=POST')).toEqual(['POST 201']);
    expect(await find(`path=${GROUPS}/${id}`)).toEqual(['GET 200']);
    expect(await find(`path=${encodeURIComponent(`${GROUPS}/{id}`)}`)).toEqual(['GET 404', 'GET 200']);
    expect(await find(`key_id=${other.record.key_id.toUpperCase()}`)).toEqual(['GET 200']);
    expect(await find(`request_id=${String(last.headers['request-id'])}`)).toEqual(['GET 200']);
    expect(await find(`request_id=${String(last.headers['request-id'])}&method=POST`)).toEqual([]);
    expect(await find('request_id=req_none')).toEqual([]);
    expect(await find(`path=${GROUPS}&method=GET&status_class=2xx`)).toEqual(['GET 200']);
  });

  it.each([
    'limit=0',
    'status_class=3xx',
    'method=PUT',
    'path=',
    'key_id=x',
    'cursor=x',
    'created_after=now',
    'x=1',
  ])('a query of the log with %s is a 400', async (query) =>
    expect((await page(`?${query}`)).status).toBe(400),
  );

  it('pages follow each other by cursor, and bounds of time include their millisecond (Q19, Q40)', async () => {
    const at = Date.parse('2026-01-02T03:04:05.000Z');
    const ids = await store([at, at, at + 1, at + 2, at + 3]);
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const { entries, pagination } = await page(`?limit=2${cursor ? `&cursor=${cursor}` : ''}`);
      found.push(...entries.map(({ id }) => id));
      cursor = pagination.next_cursor;
    } while (cursor !== null);
    expect(found).toEqual(ids.toSorted().toReversed());
    const between = await list(
      '?created_after=2026-01-02T03:04:05.001Z&created_before=2026-01-02T03:04:05.002Z',
    );
    expect(between.map(({ created_at }) => created_at)).toEqual([
      '2026-01-02T03:04:05.002Z',
      '2026-01-02T03:04:05.001Z',
    ]);
    expect(await list('?created_before=1970-01-01T00:00:00Z')).toEqual([]);
  });

  it('a filter that hardly anything matches is answered in parts of 10,000 requests (Q40)', async () => {
    const at = Date.parse('2026-01-02T00:00:00Z');
    const [failed] = await store([at], { status: 500 });
    await store(Array.from({ length: 10_001 }, (_, i) => at + 1 + i));
    const first = await page('?status_class=5xx');
    expect([first.entries, first.pagination.has_more]).toEqual([[], true]);
    const second = await page(`?status_class=5xx&cursor=${String(first.pagination.next_cursor)}`);
    expect(second.entries).toMatchObject([{ id: failed, status: 500 }]);
    expect(second.pagination).toMatchObject({ has_more: false, next_cursor: null });
  });

  it('the log of another merchant, or of the other mode, is not shown and cannot be read (S9, Q40)', async () => {
    await edge.get(GROUPS);
    await edge.get(GROUPS);
    const [entry] = await list();
    const theirs = (await edge.addKey('test', { merchant_id: 'm2' })).key;
    const live = (await edge.addKey('live')).key;
    const cursor = (await page('?limit=1')).pagination.next_cursor;
    expect((await list(`?cursor=${String(cursor)}`)).length).toBe(1);
    for (const key of [theirs, live]) {
      expect(await list('', key)).toEqual([]);
      expect(await list(`?request_id=${String(entry?.request_id)}`, key)).toEqual([]);
      expect(await show(entry?.id ?? '', key)).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect((await page(`?cursor=${String(cursor)}`, key)).status).toBe(400);
    }
    expect((await show('x')).status).toBe(404);
  });

  it('a restricted key reads the log with the scope logs, and with no other (K6, Q40)', async () => {
    await edge.get(GROUPS);
    const [entry] = await list();
    const scopes = async (...of: string[]) => (await edge.addKey('test', { scopes: of })).key;
    const [logs, others] = [
      await scopes('logs'),
      await scopes('read', 'payments', 'refunds', 'webhooks', 'test_clock'),
    ];
    expect([(await page('', logs)).status, (await show(entry?.id ?? '', logs)).status]).toEqual([200, 200]);
    expect([(await page('', others)).status, (await show(entry?.id ?? '', others)).status]).toEqual([
      403, 403,
    ]);
    expect((await edge.get(GROUPS, { key: logs })).status).toBe(403);
  });
});

describe('the log over the bus, as the dashboard reads it', () => {
  const wait = { timeoutMs: 10_000 };
  const own = { merchant_id: 'm1', mode: 'test' } as const;
  const ask = (o: Partial<RequestOf<typeof listRequestLogs>> = {}) =>
    edge.others.call(listRequestLogs, { ...own, limit: 20, ...o }, wait);
  const find = (id: string, of: Pick<RequestOf<typeof findRequestLog>, 'merchant_id' | 'mode'> = own) =>
    edge.others.call(findRequestLog, { ...of, id }, wait);

  it('the log over the bus has the entries, filters and bodies of the API (Q40)', async () => {
    const created = await edge.post(GROUPS, createBody({ group_name: 'Logged' }));
    await edge.get(`${GROUPS}/${uuidv7()}`);
    const shown = (await list()).map(({ is_test_mode: _mode, ...entry }) => entry);
    expect(shown).toHaveLength(2);
    expect(await ask()).toEqual({ request_logs: shown, next: null });
    expect((await ask({ status_class: '4xx' })).request_logs).toEqual([shown[0]]);
    const requestId = String(created.headers['request-id']);
    expect((await ask({ request_id: requestId, key_id: edge.record.key_id })).request_logs).toEqual([
      shown[1],
    ]);
    expect((await ask({ path: GROUPS, method: 'POST' })).request_logs).toEqual([shown[1]]);
    const { is_test_mode: _mode, ...entry } = (await show(shown[1]?.id ?? '')).body;
    expect(await find(shown[1]?.id ?? '')).toEqual(entry);
  });

  it('pages of the log over the bus follow each other, and end where a message is full (Q19, Q40)', async () => {
    const at = Date.parse('2026-01-02T03:04:05.000Z');
    const instants = Array.from({ length: 100 }, (_, i) => at + i);
    const ids = await store(instants, { path: `/${'x'.repeat(10_000)}` });
    const found: string[] = [];
    const sizes: number[] = [];
    let after: { created_at: string; id: string } | null = null;
    do {
      const answer: Awaited<ReturnType<typeof ask>> = await ask({ limit: 100, ...(after && { after }) });
      found.push(...answer.request_logs.map(({ id }) => id));
      sizes.push(answer.request_logs.length);
      after = answer.next;
    } while (after !== null);
    expect(found).toEqual(ids.toReversed());
    expect(sizes).toHaveLength(2);
    const between = { created_after: '2026-01-02T03:04:05.001Z', created_before: '2026-01-02T03:04:05.002Z' };
    expect((await ask(between)).request_logs.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
  });

  it('the log of another merchant, or of the other mode, is not found over the bus (S9, Q40)', async () => {
    await edge.get(GROUPS);
    const [entry] = await list();
    const id = entry?.id ?? '';
    for (const other of [{ merchant_id: 'm2' }, { mode: 'live' as const }]) {
      expect(await ask(other)).toEqual({ request_logs: [], next: null });
      expect(await ask({ ...other, request_id: String(entry?.request_id) })).toMatchObject({
        request_logs: [],
      });
      await expect(find(id, { ...own, ...other })).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await find(id)).toMatchObject({ id });
  });
});

it('logged requests are deleted after 30 days, 1,000 at a time, and not before (Q31, Q40)', async () => {
  const now = Date.parse('2026-03-01T00:00:00Z');
  await store(Array.from({ length: 1_200 }, (_, i) => now - 31 * DAY_MS - i));
  const [kept] = await store([now - 30 * DAY_MS + 1_000]);
  const reaper = reapRequestLogs(edge.db, () => now);
  const pass = () => reaper.runOnce(AbortSignal.timeout(10_000));
  expect([await pass(), await pass(), await pass()]).toEqual(['busy', 'busy', 'idle']);
  expect(await edge.rows('select id from request_logs')).toEqual([{ id: kept }]);
});
