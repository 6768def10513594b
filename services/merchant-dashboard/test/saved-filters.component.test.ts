import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';

const MOST = 30;
const PAID = { list: 'group-payments', name: 'Paid in May', filters: { state: 'paid' } };

let dashboard: Dashboard;
let member: Member;

beforeAll(async () => (dashboard = await openDashboard()));
afterAll(() => dashboard?.close());
beforeEach(async () => (member = await dashboard.newMerchant()));

const at = (mode = 'test') => `/api/${mode}/saved-filters`;
const save = (body: unknown, by = member, mode = 'test') => by.post(at(mode), body);
const list = async (by = member, { mode = 'test', of = 'group-payments' } = {}) =>
  (await by.get(`${at(mode)}?list=${of}`)).body['saved_filters'] as { id: string; name: string }[];
const listNames = async (...of: Parameters<typeof list>) => (await list(...of)).map(({ name }) => name);

/** Saves filters under two names. Neither is written before both requests wait for a lock. Returns the two statuses. */
async function saveAtOnce(names: readonly [string, string]): Promise<number[]> {
  const other = await dashboard.db.pool.connect();
  try {
    await other.query('begin; lock table saved_filters in share mode');
    const saved = Promise.all(names.map(async (name) => (await save({ ...PAID, name })).status));
    const waiting = `select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    // By a connection without a transaction: within one, what others do stands still.
    const count = async () => (await dashboard.db.pool.query<{ count: number }>(waiting)).rows[0]?.count;
    await eventually(async () => (await count()) === 2 || undefined);
    await other.query('commit');
    return await saved;
  } finally {
    other.release();
  }
}

describe('filters that a member saves (K17)', () => {
  it.each([
    PAID,
    { list: 'group-payments', name: 'Disputes', filters: { disputed: 'true' } },
    { list: 'customers', name: 'This spring', filters: { created_after: '2026-03-01T00:00:00Z' } },
    {
      list: 'events',
      name: 'Late ones',
      filters: { type: 'group_payment.paid', group_payment_id: randomUUID(), delivered: 'false' },
    },
    {
      list: 'requests',
      name: 'Refused',
      filters: { status_class: '4xx', method: 'POST', path: '/v1/group-payments', request_id: 'req_1' },
    },
  ])('saved filters are read as they were saved, on every device: $list', async (filter) => {
    const { status, body } = await save(filter);
    expect({ status, body }).toMatchObject({ status: 201, body: filter });
    const device = await dashboard.logIn(member.email);
    const read = await dashboard.send('GET', `${at()}?list=${filter.list}`, { cookie: device });
    expect(read.body).toEqual({ saved_filters: [body] });
  });

  it('saved filters are listed by name, renamed and deleted', async () => {
    for (const name of ['Second', 'First', 'Third']) await save({ ...PAID, name });
    expect(await listNames()).toEqual(['First', 'Second', 'Third']);
    const [first, second] = await list();
    expect(await member.patch(`${at()}/${first?.id}`, { name: 'Zero' })).toMatchObject({
      status: 200,
      body: { id: first?.id, name: 'Zero', filters: PAID.filters },
    });
    expect((await member.delete(`${at()}/${second?.id}`)).status).toBe(200);
    expect(await listNames()).toEqual(['Third', 'Zero']);
    expect((await member.delete(`${at()}/${second?.id}`)).status).toBe(404);
  });

  it('saved filters are those of one member, one mode and one list: nobody else reads, renames or deletes them (S9)', async () => {
    const id = String((await save(PAID)).body['id']);
    const others = [await dashboard.colleague(member, 'owner'), await dashboard.newMerchant()];
    for (const other of others) {
      expect(await list(other)).toEqual([]);
      expect((await other.patch(`${at()}/${id}`, { name: 'Mine' })).status).toBe(404);
      expect((await other.delete(`${at()}/${id}`)).status).toBe(404);
    }
    expect(await list(member, { mode: 'live' })).toEqual([]);
    expect(await list(member, { of: 'customers' })).toEqual([]);
    expect((await member.patch(`${at('live')}/${id}`, { name: 'Live' })).status).toBe(404);
    expect((await member.delete(`${at('live')}/${id}`)).status).toBe(404);
    expect(await listNames()).toEqual([PAID.name]);
  });

  it('saved filters are for every role, since they show nothing that the list would not', async () => {
    const viewer = await dashboard.colleague(member, 'viewer');
    expect((await save(PAID, viewer)).status).toBe(201);
    expect(await listNames(viewer)).toEqual([PAID.name]);
  });

  it(`saved filters are ${MOST} of a list at most, also when they are saved at the same moment`, async () => {
    for (let made = 0; made < MOST - 1; made += 1) await save({ ...PAID, name: `No. ${made}` });
    expect((await saveAtOnce(['one', 'two'])).sort()).toEqual([201, 409]);
    expect(await list()).toHaveLength(MOST);
    expect((await save({ ...PAID, list: 'events', filters: { delivered: 'true' } })).status).toBe(201);
    expect((await save(PAID, member, 'live')).status).toBe(201);
  });

  it('saved filters have names of their own within a list: a name that is taken is a 409, when saved and when renamed', async () => {
    await save(PAID);
    const { body: other } = await save({ ...PAID, name: 'Other' });
    const taken = { status: 409, body: { code: 'conflict' } };
    expect(await save(PAID)).toMatchObject(taken);
    expect(await member.patch(`${at()}/${String(other['id'])}`, { name: PAID.name })).toMatchObject(taken);
    expect((await member.patch(`${at()}/${String(other['id'])}`, { name: 'Other' })).status).toBe(200);
    expect((await save({ ...PAID, list: 'events', filters: { delivered: 'true' } })).status).toBe(201);
    expect(await listNames()).toEqual(['Other', PAID.name]);
  });

  it('saved filters go with the member', async () => {
    const viewer = await dashboard.colleague(member, 'viewer');
    await save(PAID, viewer);
    const [row] = await dashboard.rows<{ id: string }>('select id from users where email = $1', [
      viewer.email,
    ]);
    expect((await member.delete(`/api/team/members/${row?.id}`)).status).toBe(200);
    expect(await dashboard.rows('select id from saved_filters where user_id = $1', [row?.id])).toEqual([]);
  });
});

describe('input of saved filters (K17)', () => {
  it.each(['', '   ', 'x'.repeat(101), 'line\nbreak', '\u0000', '\u202egnp.exe', '\ud800', 7, null])(
    'a name that nobody could read is a 400 that names it, when saved and when renamed: %j',
    async (name) => {
      const refused = { status: 400, body: { code: 'validation_error', param: 'name' } };
      expect(await save({ ...PAID, name })).toMatchObject(refused);
      const { body } = await save(PAID);
      expect(await member.patch(`${at()}/${String(body['id'])}`, { name })).toMatchObject(refused);
      expect(await listNames()).toEqual([PAID.name]);
    },
  );

  it('a name with markup or SQL is text like any other', async () => {
    const name = `<img src=x onerror=alert(1)>'; drop table saved_filters; --`;
    expect((await save({ ...PAID, name })).status).toBe(201);
    expect(await listNames()).toEqual([name]);
  });

  it.each([
    [{ search: 'ana@example.com' }, 'filters.search'],
    [{ cursor: 'abc' }, 'filters.cursor'],
    [{ limit: '100' }, 'filters.limit'],
    [{ customer_email: 'ana@example.com' }, 'filters.customer_email'],
    [{ delivered: 'true' }, 'filters.delivered'],
    [JSON.parse('{"__proto__": "x"}'), 'filters.__proto__'],
    [{ state: 'gone' }, 'filters.state'],
    [{ state: ['paid'] }, 'filters.state'],
    [{ created_after: 'yesterday' }, 'filters.created_after'],
    [{}, 'filters'],
    [[], 'filters'],
    ['state=paid', 'filters'],
    [null, 'filters'],
  ])(
    'a filter that the list does not have is a 400 that names it, and nothing is stored: %j',
    async (filters, param) => {
      expect(await save({ ...PAID, filters })).toMatchObject({
        status: 400,
        body: { code: 'validation_error', param },
      });
      expect(await list()).toEqual([]);
    },
  );

  it.each(['', 'team', 'constructor', '__proto__', 7, null, undefined])(
    'a list without saved filters is a 400 that names it: %j',
    async (wrong) => {
      const refused = { status: 400, body: { code: 'validation_error', param: 'list' } };
      expect(await save({ ...PAID, list: wrong })).toMatchObject(refused);
      const query = wrong === undefined ? '' : `?list=${String(wrong)}`;
      expect(await member.get(at() + query)).toMatchObject(refused);
    },
  );

  it('an id that is none is unknown', async () => {
    for (const id of ['x', randomUUID()]) {
      expect((await member.delete(`${at()}/${id}`)).status).toBe(404);
      expect((await member.patch(`${at()}/${id}`, { name: 'x' })).status).toBe(404);
    }
  });
});
