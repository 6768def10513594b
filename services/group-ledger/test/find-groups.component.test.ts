import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { paidGroup } from './groups.ts';
import { digest, scope, useLedger } from './harness.ts';

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
