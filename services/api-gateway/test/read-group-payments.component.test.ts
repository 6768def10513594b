import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createBody, openEdge, type Edge } from './support/edge.ts';

let edge: Edge;
let other: string;
let live: string;
const made: string[] = [];
type Group = { id: string; state: string; group_name: string };

beforeAll(async () => {
  edge = await openEdge();
  other = (await edge.addKey('test', { merchant_id: 'm2' })).key;
  live = (await edge.addKey('live')).key;
  for (let i = 0; i < 5; i++) {
    made.push(await edge.newGroupId(createBody({ group_name: `group ${i}` })));
  }
});
afterAll(() => edge?.close());
beforeEach(() => edge.fakes.reset());

const list = (query = '', key = edge.key) => edge.get(`/v1/group-payments${query}`, { key });

describe('list 200', () => {
  it('the list returns groups newest first, each with its page and without slots, twenty by default', async () => {
    const reply = await list();
    const groups = reply.body['group_payments'] as Group[];
    expect(groups.map(({ id }) => id)).toEqual(made.toReversed());
    expect(groups[0]).toHaveProperty('checkout_url', expect.stringContaining('/c/'));
    expect(groups[0]).not.toHaveProperty('payment_slots');
    expect(reply.body['pagination']).toEqual({
      limit: 20,
      offset: 0,
      total: 5,
      has_more: false,
      next_cursor: null,
    });
  });

  it('each page states whether there are more groups', async () => {
    const first = await list('?limit=3');
    expect(first.body['pagination']).toEqual({
      limit: 3,
      offset: 0,
      total: 5,
      has_more: true,
      next_cursor: expect.any(String),
    });
    const last = await list('?limit=3&offset=3');
    expect(last.body['pagination']).toEqual({
      limit: 3,
      offset: 3,
      total: 5,
      has_more: false,
      next_cursor: null,
    });
    const past = await list('?offset=9007199254740991');
    expect(past.body).toMatchObject({ group_payments: [], pagination: { total: 5, has_more: false } });
  });

  it('the list passes every filter on; both bounds include their whole millisecond', async () => {
    const query =
      '?state=paid&created_after=2026-01-02T03:04:05.678Z&created_before=2026-01-02T05:04:05.678%2B02:00';
    expect((await list(query)).status).toBe(200);
    expect(edge.fakes.received.list[0]).toMatchObject({
      merchant_id: 'm1',
      mode: 'test',
      state: 'paid',
      created_after: '2026-01-02T03:04:05.678Z',
      created_before: '2026-01-02T03:04:05.678999Z',
    });
  });

  it('the list passes on the order number, the reference and the payer that are asked for (Q37)', async () => {
    const query = '?merchant_order_id=2041-8K&client_reference=a%20b&customer_email=Ana@example.com';
    expect((await list(query)).status).toBe(200);
    expect(edge.fakes.received.list[0]).toMatchObject({
      merchant_order_id: '2041-8K',
      client_reference: 'a b',
      customer_email: 'Ana@example.com',
    });
    for (const wrong of ['?customer_email=ana', '?client_reference=', '?merchant_order_id='])
      expect((await list(wrong)).status).toBe(400);
  });

  it('the list passes on up to three pairs of metadata, and refuses more, doubled and malformed ones (Q38)', async () => {
    expect((await list('?metadata[table]=7&metadata%5B%5D=x&metadata[a[b]]=%C3%BC%26')).status).toBe(200);
    expect(edge.fakes.received.list[0]).toMatchObject({
      metadata: [
        { key: 'table', value: '7' },
        { key: '', value: 'x' },
        { key: 'a[b]', value: 'ü&' },
      ],
    });
    const four = [1, 2, 3, 4].map((n) => `metadata[k${n}]=v`).join('&');
    for (const wrong of [
      four,
      'metadata[a]=1&metadata[a]=2',
      'metadata=a',
      'metadata[a=b',
      'metadata[a][b]=1',
      `metadata[a]=${'x'.repeat(501)}`,
    ])
      expect(await list(`?${wrong}`)).toMatchObject({ status: 400, body: { code: 'validation_error' } });
    expect((await list('?metadata[__proto__]=1')).status).toBe(200);
    expect((await list('?customer_id=nobody')).status).toBe(400);
  });

  it('bounds beyond all time are taken as its ends', async () => {
    const query = '?created_after=0000-01-01T00:00:00%2B10:00&created_before=9999-12-31T23:59:59-10:00';
    expect((await list(query)).status).toBe(200);
    expect(edge.fakes.received.list[0]).toMatchObject({
      created_after: '1970-01-01T00:00:00.000Z',
      created_before: '9999-12-31T23:59:59.999999Z',
    });
  });

  it("the list has no other merchant's and no other mode's groups", async () => {
    expect((await list('', other)).body['group_payments']).toEqual([]);
    expect((await list('', live)).body['group_payments']).toEqual([]);
  });
});

describe('list 200 with a cursor (Q19)', () => {
  it('a page of a hundred has a hundred, though their metadata is more than a message of the ledger holds', async () => {
    const { key } = await edge.addKey('test', { merchant_id: 'm-long' });
    const body = createBody({ metadata: { note: 'x'.repeat(16_000) } });
    const ids: string[] = [];
    for (let i = 0; i < 103; i++) ids.unshift(await edge.newGroupId(body, { key }));
    const page = await list('?limit=100&offset=2', key);
    expect(page.status).toBe(200);
    expect((page.body['group_payments'] as Group[]).map(({ id }) => id)).toEqual(ids.slice(2, 102));
    expect(page.body['pagination']).toMatchObject({ limit: 100, offset: 2, total: 103, has_more: true });
    // Forty-eight fit into a message.
    expect(edge.fakes.received.list).toHaveLength(3);
    const rest = await list(`?limit=100&cursor=${readCursor(page)}`, key);
    expect((rest.body['group_payments'] as Group[]).map(({ id }) => id)).toEqual(ids.slice(102));
    expect(rest.body['pagination']).toMatchObject({ total: 103, has_more: false });
  });

  const readCursor = (reply: Awaited<ReturnType<typeof list>>) =>
    (reply.body['pagination'] as { next_cursor: string | null }).next_cursor;

  it('a cursor leads from page to page to the end (Q19)', async () => {
    const pages = [await list('?limit=2')];
    for (let cursor = readCursor(pages[0]!); cursor !== null; cursor = readCursor(pages.at(-1)!))
      pages.push(await list(`?limit=2&cursor=${cursor}`));
    const ids = pages.map(({ body }) => (body['group_payments'] as Group[]).map(({ id }) => id));
    expect(ids.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(ids.flat()).toEqual(made.toReversed());
    expect(pages.at(-1)?.body['pagination']).toEqual({
      limit: 2,
      offset: 0,
      total: 5,
      has_more: false,
      next_cursor: null,
    });
  });

  it('a cursor beside an offset is a 400, even of 0; with filters it is accepted (Q19)', async () => {
    const cursor = readCursor(await list('?limit=2'));
    const both = await list(`?cursor=${cursor}&offset=0`);
    expect(both.status).toBe(400);
    expect(both.body['message']).toBe('Validation error: cursor: cannot be combined with offset');
    expect((await list(`?cursor=${cursor}&state=open`)).status).toBe(200);
  });

  it('a cursor of another merchant, of the other mode or of nobody is a 400 (Q19)', async () => {
    const cursor = readCursor(await list('?limit=2')) ?? '';
    for (const reply of [
      await list(`?cursor=${cursor}`, other),
      await list(`?cursor=${cursor}`, live),
      await list(`?cursor=${cursor.slice(0, -4)}AAAA`),
      await list('?cursor=MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkw'),
    ]) {
      expect(reply.status).toBe(400);
      expect(reply.body['message']).toBe('Validation error: cursor: is not a cursor of this list');
    }
    expect((await list(`?cursor=${'a'.repeat(513)}`)).status).toBe(400);
    expect((await list('?cursor=a%20b')).body['message']).toBe(
      'Validation error: cursor: has the wrong form',
    );
    expect((await list('?cursor=')).status).toBe(400);
  });
});

describe('list 400 invalid query', () => {
  const date = 'must be an ISO 8601 date and time with a time zone offset';
  it.each([
    ['limit=0', 'limit', 'must be at least 1'],
    ['limit=101', 'limit', 'must be at most 100'],
    ['limit=', 'limit', 'must be an integer'],
    ['limit=1e1', 'limit', 'must be an integer'],
    ['limit=ten', 'limit', 'must be an integer'],
    ['limit=NaN', 'limit', 'must be an integer'],
    ['limit=99999999999999999999', 'limit', 'must be at most 100'],
    ['offset=99999999999999999999', 'offset', 'must be at most 9007199254740991'],
    [`offset=${'9'.repeat(400)}`, 'offset', 'is too large a number'],
    ['limit=1&limit=2', 'limit', 'must be given once'],
    ['offset=-1', 'offset', 'must be at least 0'],
    ['offset=9007199254740993', 'offset', 'must be at most 9007199254740991'],
    ['created_after=yesterday', 'created_after', date],
    ['created_before=2026-01-01', 'created_before', date],
    ['created_before=2026-01-01T00:00:00', 'created_before', date],
    [
      'created_after=2026-01-02T00:00:00Z&created_before=2026-01-02T00:59:59%2B01:00',
      'created_after',
      'must not be later than created_before',
    ],
    ['page=2', 'page', 'is not a known field'],
    ['__proto__=1', '__proto__', 'is not a known field'],
  ])('an invalid query of the list is a 400: %s', async (query, param, reason) => {
    const reply = await list(`?${query}`);
    expect(reply.status).toBe(400);
    expect(reply.body['message']).toBe(`Validation error: ${param}: ${reason}`);
  });

  it('an instant whose plus sign became a space is refused with what to write instead', async () => {
    const hint = 'a + in an address means a space: write it as %2B, or the instant with Z';
    const at = 'created_after=2026-01-02T00:00:00';
    expect(await list(`?${at}+01:00`)).toMatchObject({ status: 400, body: { param: 'created_after', hint } });
    expect((await list(`?${at}%2B01:00`)).status).toBe(200);
    for (const other of [at, 'created_after=a+b', 'created_after=2026-01-02+00:00:00'])
      expect((await list(`?${other}`)).body).not.toHaveProperty('hint');
    const inBody = { ...createBody(), expires_at: '2026-01-02T00:00:00 01:00' };
    const refused = await edge.post('/v1/group-payments', inBody);
    expect(refused).toMatchObject({ status: 400, body: { param: 'expires_at' } });
    expect(refused.body).not.toHaveProperty('hint');
  });

  it('a filter with an unknown state gets an error that lists the known ones', async () => {
    const reply = await list('?state=lost');
    expect(reply.body['message']).toMatch(
      /^Validation error: state: must be one of draft, expired, .*refund_failed$/,
    );
  });
});

describe('get 200', () => {
  it('a get returns what create returned', async () => {
    const created = await edge.post('/v1/group-payments', createBody());
    const { id } = created.body['group_payment'] as Group;
    const found = await edge.get(`/v1/group-payments/${id.toUpperCase()}`);
    expect(found.status).toBe(200);
    expect(found.text).toBe(created.text);
  });
});

describe('get 404', () => {
  it.each([
    ['unknown', () => '0198c3f0-0000-7000-8000-000000000000', () => edge.key],
    ["another merchant's", () => made[0] ?? '', () => other],
    ["the other mode's", () => made[0] ?? '', () => live],
    ['no UUID', () => 'abc', () => edge.key],
    ['a URN', () => `urn:uuid:${made[0]}`, () => edge.key],
    ['NUL in disguise', () => '%2500', () => edge.key],
  ])('a group that is not found (%s) gets one and the same 404', async (_what, id, key) => {
    const reply = await edge.get(`/v1/group-payments/${id()}`, { key: key() });
    expect(reply.status).toBe(404);
    expect(reply.body).toMatchObject({
      error: 'Not Found',
      message: 'group payment not found',
      version: '1.0.0',
      code: 'not_found',
    });
  });
});
