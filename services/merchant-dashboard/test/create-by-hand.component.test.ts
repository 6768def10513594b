import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { GroupView, Mode } from '@gp/contracts';
import { ROLES, type Role } from '../src/domain/roles.ts';
import { BILL, playCreations } from './support/creations.ts';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';

const id = '0198c3f0-0000-7000-8000-00000000000a';
const at = '2026-01-10T12:00:00.000Z';

let dashboard: Dashboard;
let member: Member;
let bills: ReturnType<typeof playCreations>;
const team = new Map<Role, Member>();

const newGroup = (): GroupView => ({
  ...{ id, merchant_id: member.id, mode: 'live', group_name: 'Dinner', merchant_order_id: 'ORD-1' },
  ...{ client_reference: null, total_minor: '3000', currency: 'EUR', state: 'open', metadata: {} },
  ...{ page_token: 'secret-link-of-a-payer-22', version: 1, expires_at: at, created_at: at, updated_at: at },
});

beforeAll(async () => {
  dashboard = await openDashboard();
  member = await dashboard.newMerchant();
  await member.connect('gateway_a', { secret_key: 'sk_live' }, 'live');
  for (const role of ROLES) team.set(role, await dashboard.colleague(member, role));
  bills = playCreations(dashboard, member, newGroup);
});
afterAll(() => dashboard?.close());
beforeEach(async () => {
  bills.created.length = 0;
  await dashboard.rows('delete from tries');
});

const listNotes = (of = member) =>
  dashboard.rows<{ action: string; actor: string; details: object }>(
    `select action, actor, details from audit_log
     where merchant_id = $1 and action like 'group_payment.%' order by id`,
    [of.id],
  );

describe('who creates group payments by hand', () => {
  it.each([
    ['live', ['owner', 'admin', 'support']],
    ['test', ['owner', 'admin', 'developer', 'support']],
  ] as [Mode, Role[]][])('in %s mode only %j create group payments by hand (K15)', async (mode, allowed) => {
    for (const role of ROLES) {
      const who = team.get(role);
      if (!who) throw new Error(`the team has no ${role}`);
      const { status, body } = await bills.make({}, { mode, who });
      expect({ role, status }).toEqual({ role, status: allowed.includes(role) ? 201 : 403 });
      if (status === 403) expect(body).toMatchObject({ code: 'insufficient_scope' });
    }
    expect(bills.created).toHaveLength(allowed.length);
    for (const command of bills.created) expect(command).toMatchObject({ merchant_id: member.id, mode });
  });

  it('a page of another site cannot make the browser of a member create one (K15)', async () => {
    const { status } = await dashboard.send('POST', '/api/live/group-payments', {
      cookie: member.cookie,
      headers: {
        'idempotency-key': 'elsewhere',
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
      },
      body: { ...BILL, total_amount: '30.00', number_of_slots: 3 },
    });
    expect(status).toBe(401);
    expect(bills.created).toEqual([]);
  });
});

describe('in live mode', () => {
  it('a live group payment has what was entered, the time of day, and the link for payers (K15)', async () => {
    const before = Date.now();
    const { status, body } = await bills.make({ expires_in_seconds: 900 }, { mode: 'live' });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        ...{ id, group_name: 'Dinner' },
        checkout_url: 'https://pay.example/c/secret-link-of-a-payer-22',
      },
    });
    expect(bills.created).toMatchObject([
      {
        ...{
          merchant_id: member.id,
          mode: 'live',
          group_name: 'Dinner',
          total_minor: '3000',
          currency: 'EUR',
        },
        ...{ distribution: { type: 'equally', number_of_slots: 3 }, metadata: { made_by: 'dashboard' } },
      },
    ]);
    const expiry = Date.parse(bills.created[0]?.expires_at ?? '');
    expect(expiry).toBeGreaterThanOrEqual(before + 900_000);
    expect(expiry).toBeLessThanOrEqual(Date.now() + 900_000);
  });

  it('a merchant without an active live gateway gets a 409 that says so, and nothing is created or recorded (K15)', async () => {
    const other = await dashboard.newMerchant();
    await other.connect('gateway_a');
    const refused = await bills.make({}, { mode: 'live', who: other });
    expect(refused).toMatchObject({ status: 409, body: { code: 'no_active_gateway' } });
    expect(bills.created).toEqual([]);
    expect(await listNotes(other)).toEqual([]);
    expect((await bills.make({}, { mode: 'test', who: other })).status).toBe(201);
  });

  it('the audit log says who asked for which live group payment (K15)', async () => {
    const { email, ...who } = team.get('support') as Member;
    const earlier = (await listNotes()).length;
    await bills.make({ group_name: 'Padel' }, { mode: 'live', who });
    expect((await listNotes()).slice(earlier)).toEqual([
      {
        ...{ action: 'group_payment.create_requested', actor: email },
        details: { mode: 'live', group_name: 'Padel', currency: 'EUR', total_minor: '3000' },
      },
      { action: 'group_payment.created', actor: email, details: { mode: 'live', group_payment_id: id } },
    ]);
  });

  it('a creation whose answer was lost is in the audit log, and its repetition names the group payment (K15)', async () => {
    const how = { mode: 'live', key: 'lost' } as const;
    const earlier = (await listNotes()).length;
    const listActions = async () => (await listNotes()).slice(earlier).map(({ action }) => action);
    bills.ledger.isAway = true;
    expect((await bills.make({}, how)).status).toBe(503);
    bills.ledger.isAway = false;
    expect(await listActions()).toEqual(['group_payment.create_requested']);
    expect((await bills.make({}, how)).status).toBe(201);
    expect(await listActions()).toEqual([
      'group_payment.create_requested',
      'group_payment.create_requested',
      'group_payment.created',
    ]);
    expect(new Set(bills.created.map(({ command_id }) => command_id)).size).toBe(1);
  });

  it('a merchant’s sixty-first live group payment in ten minutes is a 429, in test mode it is not (K15)', async () => {
    for (let bill = 1; bill <= 60; bill += 1)
      expect((await bills.make({}, { mode: 'live' })).status).toBe(201);
    const refused = await bills.make({}, { mode: 'live', who: team.get('admin') as Member });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(bills.created).toHaveLength(60);
    expect((await bills.make({}, { mode: 'test' })).status).toBe(201);
  });
});

describe.each(['test', 'live'] as const)('the Idempotency-Key in %s mode', (mode) => {
  it('the same key is the same creation, with another bill another one, and no key is a 400 (K15)', async () => {
    const key = `once-${mode}`;
    const bill = { group_name: 'Once' };
    for (const body of [bill, bill, { group_name: 'Another' }]) await bills.make(body, { mode, key });
    await bills.make(bill, { mode, key: `twice-${mode}` });
    const [first, second, changed, other] = bills.created;
    expect(second?.command_id).toBe(first?.command_id);
    expect(second?.fingerprint).toBe(first?.fingerprint);
    expect(changed?.command_id).toBe(first?.command_id);
    expect(changed?.fingerprint).not.toBe(first?.fingerprint);
    expect(other?.command_id).not.toBe(first?.command_id);
    const { cookie } = member;
    const body = { ...BILL, total_amount: '30.00', number_of_slots: 3 };
    const without = await dashboard.send('POST', `/api/${mode}/group-payments`, { cookie, body });
    expect(without).toMatchObject({ status: 400, body: { param: 'Idempotency-Key' } });
    expect(bills.created).toHaveLength(4);
  });

  it('the key of one mode is not that of the other (K15)', async () => {
    for (const each of ['test', 'live'] as const) await bills.make({}, { mode: each, key: `both-${mode}` });
    const [one, another] = bills.created;
    expect(another?.command_id).not.toBe(one?.command_id);
  });
});

describe('what is refused', () => {
  const slots = [{ amount: '10.00' }];
  it.each([
    [{ group_name: '' }, 'group_name'],
    [{ group_name: 'x'.repeat(33) }, 'group_name'],
    [{ group_name: 'Din\u202Ener' }, 'group_name'],
    [{ currency: 'XXX' }, 'currency'],
    [{ currency: 'eur' }, 'currency'],
    [{ total_amount: '0' }, 'total_amount'],
    [{ total_amount: '0.02' }, 'total_amount'],
    [{ total_amount: '-30' }, 'total_amount'],
    [{ total_amount: '30.005' }, 'total_amount'],
    [{ total_amount: '3000000' }, 'total_amount'],
    [{ total_amount: 30 }, 'total_amount'],
    [{ total_amount: undefined }, 'total_amount'],
    [{ number_of_slots: undefined }, 'number_of_slots'],
    [{ number_of_slots: 0 }, 'number_of_slots'],
    [{ number_of_slots: 31 }, 'number_of_slots'],
    [{ currency: 'BHD', total_amount: '0.029' }, 'total_amount'],
    [{ expires_in_seconds: 59 }, 'expires_in_seconds'],
    [{ expires_in_seconds: 604_801 }, 'expires_in_seconds'],
    [{ expires_in_seconds: undefined }, 'expires_in_seconds'],
    [{ slots: [] }, 'slots'],
    [{ slots: Array.from({ length: 31 }, () => ({ amount: '1' })) }, 'slots'],
    [{ slots: [{ amount: '1000000' }] }, 'slots.0.amount'],
    [{ slots: [{ amount: '1' }, { amount: '0' }] }, 'slots.1.amount'],
    [{ slots: [{ amount: '1', label: 'a\u202Eb' }] }, 'slots.0.label'],
    [{ slots, total_amount: '10.00' }, 'total_amount'],
    [{ slots, number_of_slots: 1 }, 'number_of_slots'],
    [{ max_tip: '1000000' }, 'max_tip'],
    [{ mode: 'test' }, 'mode'],
    [{ merchant_id: id }, 'merchant_id'],
  ])('a bill with %j is a 400 that names the field, in both modes (K15)', async (wrong, param) => {
    for (const mode of ['test', 'live'] as const)
      expect(await bills.make(wrong, { mode })).toMatchObject({ status: 400, body: { param } });
    expect(bills.created).toEqual([]);
  });

  it.each([
    [{ total_amount: '3000000' }, 'total_amount: must be at most 2999999.97 EUR'],
    [{ total_amount: '9'.repeat(13) }, 'total_amount: must be at most 2999999.97 EUR'],
    [{ total_amount: '9'.repeat(40) }, 'total_amount: must be at most 2999999.97 EUR'],
    [{ total_amount: '9'.repeat(15), currency: 'BHD' }, 'total_amount: must be at most 299999.997 BHD'],
    [{ slots: [{ amount: '9'.repeat(20) }] }, 'slots.0.amount: must be at most 999999.99 EUR'],
    [{ max_tip: '9'.repeat(20) }, 'max_tip: must be at most 999999.99 EUR'],
  ])('a bill with %j, which is too much, is refused with the largest amount', async (wrong, told) => {
    const { body } = await bills.make(wrong, { mode: 'test' });
    expect(body).toMatchObject({ message: `Validation error: ${told}` });
  });

  it('the largest amounts that gateways take are accepted (K15)', async () => {
    const slots = [{ amount: '999999.99' }, { amount: '0.01' }];
    expect((await bills.make({ slots, max_tip: '999999.99' }, { mode: 'live' })).status).toBe(201);
    expect((await bills.make({ total_amount: '2999999.97' }, { mode: 'live' })).status).toBe(201);
    expect(bills.created.map(({ total_minor }) => total_minor)).toEqual(['100000000', '299999997']);
  });
});
