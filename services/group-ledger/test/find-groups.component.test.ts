import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { paidGroup } from './groups.ts';
import { connection, digest, reserveRequest, scope, useLedger } from './harness.ts';

const ledger = useLedger();
const merchant = { ...scope, merchant_id: 'm-list' };
const made: string[] = [];

beforeAll(async () => {
  for (let n = 0; n < 4; n++) made.unshift((await ledger.newGroup(merchant)).group.id);
  // Groups of one statement have one instant of creation; their ids, which are in time order, decide which is newer.
  const together = await Promise.all([1, 2, 3].map(() => ledger.newGroup(merchant)));
  made.unshift(
    ...together
      .map(({ group }) => group.id)
      .toSorted()
      .reverse(),
  );
  await ledger.cancel({
    ...merchant,
    group_id: made[0]!,
    actor: 'operator',
    command_id: digest('list'),
    fingerprint: digest('list'),
  });
});

type Filter = Partial<Parameters<typeof ledger.list>[0]>;
const listGroupIds = async (o: Filter) => {
  const { groups, total } = await ledger.list({ ...merchant, limit: 100, offset: 0, ...o });
  return { ids: groups.map((group) => group.id), total };
};

describe('the list', () => {
  it('the list shows the newest first, page by page, with the number of all that match (Q19)', async () => {
    expect(await listGroupIds({})).toEqual({ ids: made, total: 7 });
    expect(await listGroupIds({ limit: 3, offset: 2 })).toEqual({ ids: made.slice(2, 5), total: 7 });
    expect(await listGroupIds({ offset: 1_000_000 })).toEqual({ ids: [], total: 7 });
  });

  it('a search that leaves out the number of groups finds the same groups on every page (Q57)', async () => {
    expect(await listGroupIds({ without_total: true })).toEqual({ ids: made, total: 0 });
  });

  it('the list is filtered by state, and a draft never exists (Q2)', async () => {
    expect(await listGroupIds({ state: 'cancelled' })).toEqual({ ids: [made[0]], total: 1 });
    expect(await listGroupIds({ state: 'open' })).toEqual({ ids: made.slice(1), total: 6 });
    expect(await listGroupIds({ state: 'draft' })).toEqual({ ids: [], total: 0 });
  });

  it('the list is filtered by creation, both ends inclusive', async () => {
    const { groups } = await ledger.list({ ...merchant, limit: 100, offset: 0 });
    const at = groups[3]!.created_at;
    const expected = groups.filter((group) => group.created_at === at).map((group) => group.id);
    expect((await listGroupIds({ created_after: at, created_before: at })).ids).toEqual(expected);
    const later = new Date(Date.parse(at) + 1).toISOString();
    expect((await listGroupIds({ created_after: later })).ids).not.toContain(made[3]);
  });

  it('the list shows nothing of another merchant or mode (S9)', async () => {
    expect(await listGroupIds({ mode: 'live' })).toEqual({ ids: [], total: 0 });
    expect(await listGroupIds({ merchant_id: 'm-other' })).toEqual({ ids: [], total: 0 });
  });

  it('the list refuses an instant that no calendar has as a mistake of the request', async () => {
    await expect(listGroupIds({ created_after: '0000-01-01T00:00:00Z' })).rejects.toMatchObject({
      code: 'validation_error',
    });
  });

  it.each([
    ['from its newest end', ''],
    ['from a place in it', `and (created_at, id) < (now(), '0198c3f0-0000-7000-8000-000000000000')`],
  ])('the list is read from its index, %s, without sorting', async (_where, condition) => {
    // So few rows would be read and sorted whole; the question is what many rows would do.
    const answers = await ledger.db.pool.query<{ 'QUERY PLAN': string }>(
      `begin; set local enable_seqscan = off;
       explain select * from groups where merchant_id = 'm-list' and mode = 'test' ${condition}
       order by created_at desc, id desc limit 20; commit`,
    );
    const [, , plan] = answers as unknown as [unknown, unknown, { rows: { 'QUERY PLAN': string }[] }];
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toContain('Index Scan Backward using groups_of_a_merchant');
    expect(text).not.toContain('Sort');
    if (condition) expect(text).toMatch(/Index Cond: .*ROW\(created_at, id\) </);
  });
});

/** Groups with a payer each; a transaction that is rolled back leaves none of them. */
const THOUSANDS = `with made as (
    insert into groups (id, merchant_id, mode, group_name, merchant_order_id, client_reference, total_minor, currency, state,
                        page_token, expires_at, version, sequence, refund_number, created_at, updated_at, metadata)
    select gen_random_uuid(), 'm-filters', 'test', 'x', 'o' || n, 'r' || n, 100, 'EUR', 'open', 'token ' || n,
           now(), 1, 0, 0, now() - n * interval '1 second', now(), jsonb_build_object('table', n, 'till', 'main')
    from generate_series(1, 5000) n
    returning id, substr(client_reference, 2) as n
  ), known as (
    insert into customers (id, merchant_id, mode, email)
    select id, 'm-filters', 'test', 'p' || n || '@example.com' from made
  )
  insert into intents (id, group_id, customer_id, psp_code, credential_version, amount_minor, slot_ids, state, unknown,
                       declines, renewals, amount_captured, amount_refunded, disputed, created_at)
  select gen_random_uuid(), id, id, 'gateway_a', 1, 100, array[id], 'created', false, 0, 0, 0, 0, false, now() from made`;

describe('the list of one order, reference or payer', () => {
  const shop = { ...scope, merchant_id: 'm-filters' };
  const find = (o: Partial<Parameters<typeof ledger.list>[0]>) => listGroupIds({ ...shop, ...o });
  let [first, second, third] = ['', '', ''];
  let orderId = '';
  let payerId = '';
  beforeAll(async () => {
    await ledger.note(connection({ merchant_id: shop.merchant_id, psp_code: 'gateway_a' }));
    for (const client_reference of ['order-1', 'order-2', 'order-1']) {
      const { group } = await ledger.newGroup({ ...shop, client_reference });
      [first, second, third] = [second, third, group.id];
      orderId = group.merchant_order_id;
    }
    for (const id of [first, second])
      payerId = (await ledger.reserve({ ...reserveRequest(id, 'Ana@Example.com'), ...shop })).intent
        .customer_id;
  });

  it('the list of a reference, an order number or a payer has exactly their groups, newest first (Q37)', async () => {
    expect(await find({ client_reference: 'order-1' })).toEqual({ ids: [third, first], total: 2 });
    expect(await find({ merchant_order_id: orderId })).toEqual({ ids: [third], total: 1 });
    expect(await find({ customer_email: 'ANA@example.com' })).toEqual({ ids: [second, first], total: 2 });
    expect(await find({ customer_id: payerId })).toEqual({ ids: [second, first], total: 2 });
    expect(await find({ client_reference: 'order-3' })).toEqual({ ids: [], total: 0 });
  });

  it('conditions of the list add up, with the state and the page as well (Q37)', async () => {
    const both = { client_reference: 'order-1', customer_email: 'ana@example.com' };
    expect(await find(both)).toEqual({ ids: [first], total: 1 });
    expect(await find({ ...both, state: 'paid' })).toEqual({ ids: [], total: 0 });
    expect(await find({ ...both, merchant_order_id: orderId })).toEqual({ ids: [], total: 0 });
    const page = await ledger.list({ ...shop, client_reference: 'order-1', limit: 1, offset: 0 });
    expect(page).toMatchObject({ groups: [{ id: third, client_reference: 'order-1' }], total: 2 });
    const rest = { client_reference: 'order-1', limit: 1, offset: 0, after: page.next! };
    expect(await ledger.list({ ...shop, ...rest })).toMatchObject({ groups: [{ id: first }], next: null });
  });

  it('the list of a reference, order or payer of another merchant or mode is empty (S9)', async () => {
    for (const other of [{ merchant_id: 'm-list' }, { mode: 'live' as const }])
      for (const one of [
        { client_reference: 'order-1' },
        { merchant_order_id: orderId },
        { customer_email: 'ana@example.com' },
        { customer_id: payerId },
      ])
        expect(await find({ ...other, ...one })).toEqual({ ids: [], total: 0 });
  });

  it.each([
    ['groups_by_client_reference', `client_reference = 'r7'`],
    ['groups_are_told_apart_by_order_id', `merchant_order_id = 'o7'`],
    [
      'intents_of_a_customer',
      `id in (select i.group_id from customers c join intents i on i.customer_id = c.id
       where c.merchant_id = 'm-filters' and c.mode = 'test' and c.email = 'p7@example.com')`,
    ],
    ['groups_by_state', `state = 'refund_failed'`],
    ['intents_disputed', 'id in (select i.group_id from intents i where i.disputed)'],
    ['groups_by_metadata', `(metadata @> '{"table":"7"}'::jsonb or metadata @> '{"table":7}'::jsonb)`],
  ])('the list of a merchant with thousands of groups reads %s (Q37)', async (index, condition) => {
    // Only the owner of tables may analyse them.
    const asOwner = (sql: string) => ledger.database.asOwner('group_ledger', sql);
    await asOwner('begin');
    await asOwner(THOUSANDS);
    // New entries wait in a list of the index that a reader would go through whole; vacuum empties it, as this does.
    await asOwner(`select gin_clean_pending_list('groups_by_metadata')`);
    await asOwner('analyze groups, customers, intents');
    const plan = await asOwner(
      `explain select id from (select * from groups where merchant_id = 'm-filters' and mode = 'test' and ${condition}
       ${['groups_by_metadata', 'intents_disputed'].includes(index) ? 'offset 0' : ''}) g
       order by created_at desc, id desc limit 20`,
    );
    await asOwner('rollback');
    expect(JSON.stringify(plan)).toContain(index);
  });
});

describe('the list of groups with metadata', () => {
  const shop = { ...scope, merchant_id: 'm-pairs' };
  const find = async (o: Partial<Parameters<typeof ledger.list>[0]>, ...pairs: [string, string][]) =>
    (await listGroupIds({ ...shop, ...o, metadata: pairs.map(([key, value]) => ({ key, value })) })).ids;
  const names = new Map<string, string>();
  const found = async (...pairs: [string, string][]) => (await find({}, ...pairs)).map((id) => names.get(id));
  beforeAll(async () => {
    await ledger.newGroup(shop);
    const all = {
      text: { table: '7', till: 'main' },
      number: { table: 7, till: 'bar' },
      yes: { vip: true, note: 'true', '': 'x', ratio: 0.5 },
      nested: { table: { table: '7' }, list: ['7', 'main'], none: null },
      odd: { '__proto__ ': 'a"b\\c', é: 'ü', a: '1e3' },
    };
    for (const [name, metadata] of Object.entries(all))
      names.set((await ledger.newGroup({ ...shop, metadata })).group.id, name);
  });

  it('a pair of the metadata finds exactly the groups that have it, a number or boolean also by its text (Q38)', async () => {
    expect(await found(['table', '7'])).toEqual(['number', 'text']);
    expect(await found(['table', '7'], ['till', 'bar'])).toEqual(['number']);
    expect(await found(['vip', 'true'])).toEqual(['yes']);
    expect(await found(['note', 'true'])).toEqual(['yes']);
    expect(await found(['ratio', '0.50'])).toEqual(['yes']);
    expect(await found(['', 'x'])).toEqual(['yes']);
    expect(await found(['é', 'ü'])).toEqual(['odd']);
    expect(await found(['__proto__ ', 'a"b\\c'])).toEqual(['odd']);
    expect(await found(['a', '1e3'])).toEqual(['odd']);
  });

  it('a part of a value, a nested pair, a null and an unknown key find nothing (Q38)', async () => {
    for (const pair of [
      ['till', 'mai'],
      ['list', '7'],
      ['list', '["7"]'],
      ['none', 'null'],
      ['__proto__', 'x'],
      ['x', '{"a":1}'],
    ] as const)
      expect(await found([...pair])).toEqual([]);
    expect(await found(['table', '7'], ['till', 'none'])).toEqual([]);
  });

  it('pairs add up with the state and the page, and stay within their merchant and mode (Q38, S9)', async () => {
    const request = { ...shop, limit: 1, offset: 0, metadata: [{ key: 'table', value: '7' }] };
    const page = await ledger.list(request);
    expect(page).toMatchObject({ total: 2, groups: [{ metadata: { till: 'bar' } }] });
    expect(await ledger.list({ ...request, after: page.next! })).toMatchObject({
      groups: [{ metadata: { till: 'main' } }],
      next: null,
    });
    expect(await find({ state: 'paid' }, ['table', '7'])).toEqual([]);
    for (const other of [{ merchant_id: 'm-list' }, { mode: 'live' as const }])
      expect(await find(other, ['table', '7'])).toEqual([]);
  });

  it('every set of conditions finds the group that meets them, on the first page and behind a position (Q37, Q38, Q112)', async () => {
    const merchant = { ...scope, merchant_id: 'm-all' };
    await ledger.note(connection({ merchant_id: merchant.merchant_id, psp_code: 'gateway_a' }));
    const metadata = { a: '1', b: '2', c: '3' };
    const { group } = await ledger.newGroup({ ...merchant, client_reference: 'all', metadata });
    const { intent } = await ledger.reserve({ ...reserveRequest(group.id, 'all@example.com'), ...merchant });
    const mark = (disputed: boolean) =>
      ledger.rows('update intents set disputed = $2 where id = $1', [intent.id, disputed]);
    await mark(true);
    const pairs = Object.entries(metadata).map(([key, value]) => ({ key, value }));
    const others = [
      { merchant_order_id: group.merchant_order_id },
      { client_reference: 'all' },
      { customer_email: 'all@example.com' },
      { customer_id: intent.customer_id },
      { disputed: true },
    ];
    const subsets = others.reduce<object[]>(
      (sets, other) => [...sets, ...sets.map((set) => ({ ...set, ...other }))],
      [{}],
    );
    const after = { created_at: '2100-01-01T00:00:00.000Z', id: group.id };
    for (const set of subsets)
      for (let count = 0; count <= pairs.length; count++) {
        const request = { ...merchant, limit: 2, offset: 0, ...set, metadata: pairs.slice(0, count) };
        expect(await ledger.list(request)).toMatchObject({ total: 1, groups: [{ id: group.id }] });
        expect(await ledger.list({ ...request, after })).toMatchObject({ groups: [{ id: group.id }] });
      }
    await mark(false);
  });

  it('a pair that no database can store is refused as a mistake of the request', async () => {
    for (const pair of [
      ['a', 'b\u0000'],
      ['a\ud800', 'b'],
    ] as const)
      await expect(find({}, [...pair])).rejects.toMatchObject({ code: 'validation_error' });
  });
});

describe('the list, page after page from where the last one ended', () => {
  const shopper = { ...scope, merchant_id: 'm-pages' };
  const listed = (o: Partial<Parameters<typeof ledger.list>[0]> = {}) =>
    ledger.list({ ...shopper, limit: 100, offset: 0, ...o });

  /** Walks the list with pages of these sizes, the last one again and again; `between` runs after each page. */
  async function walk(sizes: readonly number[], between: () => Promise<unknown>): Promise<string[][]> {
    const pages: string[][] = [];
    let after: Awaited<ReturnType<typeof listed>>['next'] = null;
    do {
      const limit = sizes[Math.min(pages.length, sizes.length - 1)] ?? 1;
      const page = await listed({ limit, ...(after && { after }) });
      pages.push(page.groups.map(({ id }) => id));
      after = page.next;
      await between();
    } while (after);
    return pages;
  }

  it('the list, read page after page, shows every group once and in order, whatever the sizes and new groups (Q19)', async () => {
    // Many share an instant of creation, to the microsecond: then the id decides.
    await Promise.all(Array.from({ length: 12 }, () => ledger.newGroup(shopper)));
    await ledger.rows(
      `update groups set created_at = (select min(created_at) from groups where merchant_id = $1)
       where merchant_id = $1 and id in (select id from groups where merchant_id = $1 order by random() limit 6)`,
      [shopper.merchant_id],
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
        fc.array(fc.boolean(), { maxLength: 3 }),
        async (sizes, created) => {
          const before = (await listed()).groups.map(({ id }) => id);
          const pages = await walk(sizes, async () => created.pop() && ledger.newGroup(shopper));
          expect(pages.flat()).toEqual(before);
          const full = pages.slice(0, -1).map((page) => page.length);
          expect(full).toEqual(full.map((_, at) => sizes[Math.min(at, sizes.length - 1)]));
        },
      ),
      { numRuns: 25 },
    );
  });

  it('the list counts all matches, marks its end, and never leaves its merchant', async () => {
    const first = await listed({ limit: 5 });
    const last = await listed({ after: first.next! });
    expect(last.total).toBe(first.total);
    expect(last.next).toBeNull();
    expect(first.groups.length + last.groups.length).toBe(first.total);
    expect((await listed({ merchant_id: 'm-list', after: first.next! })).groups).toHaveLength(7);
    expect((await listed({ limit: first.total })).next).toBeNull();
  });
});

it('the list returns less than requested rather than more than a message holds, and continues after it', async () => {
  const writer = { ...scope, merchant_id: 'm-long' };
  const metadata = { note: 'x'.repeat(16_000) };
  await Promise.all(Array.from({ length: 60 }, () => ledger.newGroup({ ...writer, metadata })));
  const whole = await ledger.rows<{ id: string }>(
    'select id from groups where merchant_id = $1 order by created_at desc, id desc',
    [writer.merchant_id],
  );
  const first = await ledger.list({ ...writer, limit: 60, offset: 0 });
  expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThan(1_000_000);
  expect(first).toMatchObject({ total: 60, next: { id: first.groups.at(-1)?.id } });
  const rest = await ledger.list({ ...writer, limit: 60, offset: 0, after: first.next! });
  expect(rest.next).toBeNull();
  expect([...first.groups, ...rest.groups].map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
});

describe('a group', () => {
  it('a group is the same when found by its id and by the token of its page', async () => {
    const byId = await ledger.find({ ...merchant, group_id: made[2]! });
    expect(await ledger.findByPageToken({ page_token: byId.group.page_token })).toEqual(byId);
    expect(byId.group.page_token).toMatch(/^[0-9a-z]{35}$/);
  });

  it.each([{ merchant_id: 'm-other' }, { mode: 'live' as const }, { group_id: uuidv7() }])(
    'a group is not found by %j (S9)',
    async (other) => {
      await expect(ledger.find({ ...merchant, group_id: made[0]!, ...other })).rejects.toMatchObject({
        code: 'not_found',
      });
    },
  );

  it.each(['nobody', '', 'x'.repeat(100)])('a group has no page with the token "%s"', async (page_token) => {
    await expect(ledger.findByPageToken({ page_token })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('a group is not looked up by a token that has no valid form', async () => {
    await expect(ledger.findByPageToken({ page_token: 'a\u0000' })).rejects.toMatchObject({
      code: 'validation_error',
    });
  });
});

it('a payment intent is found within its merchant and mode only', async () => {
  await expect(ledger.findIntent({ ...merchant, intent_id: uuidv7() })).rejects.toMatchObject({
    code: 'not_found',
  });
});

it('a found group comes with the facts that the ledger derives about it', async () => {
  const { id, page_token } = (await ledger.newGroup(merchant)).group;
  const facts = { is_collecting: true, awaits_payers: true, is_settled: false };
  expect((await ledger.find({ ...merchant, group_id: id })).facts).toEqual(facts);
  expect((await ledger.findByPageToken({ page_token })).facts).toEqual(facts);
  const { id: paid } = await paidGroup(ledger);
  expect((await ledger.find({ ...scope, group_id: paid })).facts).toEqual({
    is_collecting: false,
    awaits_payers: false,
    is_settled: true,
  });
});
