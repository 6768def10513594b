import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import * as contracts from '@gp/contracts';
import type { CommandOf, GroupView, RequestOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { ROLES } from '../src/domain/roles.ts';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';
import { BILL } from './support/creations.ts';
import { openDownload } from './support/download.ts';

const id = '0198c3f0-0000-7000-8000-00000000000a';
const at = '2026-01-10T12:00:00.000Z';
const TOKEN = 'organisers-secret-token-22';
const rights = { may: ['remind', 'extend'] as const, latest_expires_at: '2026-01-12T12:00:00.000Z' };

let dashboard: Dashboard;
let member: Member;
let organiser: GroupView['organiser'];
const rolled: RequestOf<typeof contracts.rollOrganiserToken>[] = [];
let created: CommandOf<typeof contracts.createGroup>[] = [];

const newGroup = (): GroupView => ({
  id,
  merchant_id: member.id,
  mode: 'test',
  group_name: 'Dinner',
  merchant_order_id: 'ORD-1',
  client_reference: null,
  total_minor: '3000',
  currency: 'EUR',
  state: 'open',
  metadata: {},
  page_token: 'secret-link-of-a-payer-22',
  ...(organiser && { organiser }),
  version: 1,
  expires_at: at,
  created_at: at,
  updated_at: at,
});
const sum = { held_minor: '0', captured_minor: '0', refunded_minor: '0' };

function playOthers(): void {
  const { others } = dashboard;
  others.serve(contracts.describeGroup, async () => ({
    ...{ group: newGroup(), slots: [], payments: [], transitions: [], is_cut: false, money: sum },
    ...{ can_cancel: true, can_refund: false },
  }));
  others.serve(contracts.listGroupDeliveries, async () => ({ deliveries: [] }));
  others.serve(contracts.listGroups, async () => ({ groups: [newGroup()], total: 1, next: null }));
  others.serve(contracts.searchGroups, async () => ({ groups: [newGroup()], is_cut: false }));
  others.serve(contracts.searchCustomers, async () => ({ customers: [], is_cut: false }));
  others.serve(contracts.sumGroups, async () => ({ sums: [{ group_id: id, ...sum }] }));
  others.serve(contracts.cancelGroup, async () => ({ group: newGroup(), slots: [] }));
  others.serve(contracts.findTestClock, async () => ({
    ...{ now: new Date().toISOString(), ahead_ms: 0, remaining_ms: 0, is_settled: true },
  }));
  others.serveBatch(contracts.createGroup, async (commands) =>
    commands.map(({ command }) => {
      created.push(command);
      organiser = command.organiser && { ...command.organiser, token: TOKEN, link_number: 0 };
      return { group: newGroup(), slots: [], replayed: false };
    }),
  );
  others.serve(contracts.rollOrganiserToken, async (request) => {
    rolled.push(request);
    if (!organiser) throw notFound('organiser');
    organiser = { ...organiser, token: 'new-token-of-the-organiser', link_number: 1 };
    return { token: organiser.token, link_number: 1 };
  });
}

beforeAll(async () => {
  dashboard = await openDashboard();
  member = await dashboard.newMerchant();
  playOthers();
});
afterAll(() => dashboard?.close());
beforeEach(() => {
  rolled.length = 0;
  created = [];
  organiser = {
    may: [...rights.may],
    latest_expires_at: rights.latest_expires_at,
    token: TOKEN,
    link_number: 0,
  };
});

const read = async (who = member) => (await who.get(`/api/test/group-payments/${id}`)).body;

describe('the organiser on the page of a group payment', () => {
  it('a group payment with an organiser shows the rights and the link (Q83, Q84)', async () => {
    const organiser_url = `https://pay.example/o/${TOKEN}`;
    expect(await read()).toMatchObject({ organiser: { ...rights, organiser_url } });
  });

  it('a group payment without an organiser shows none (Q83)', async () => {
    organiser = undefined;
    expect(await read()).not.toHaveProperty('organiser');
  });

  it.each(ROLES)(
    'a member with the role %s sees the rights, and the link only where the role may act on payments (Q83)',
    async (role) => {
      const shown = await read(await dashboard.colleague(member, role));
      expect(shown).toMatchObject({ organiser: rights });
      expect(JSON.stringify(shown).includes(TOKEN)).toBe(['owner', 'admin', 'support'].includes(role));
    },
  );

  it('neither lists, searches, answers to a cancellation nor files have the link (Q83, Q56)', async () => {
    const { cookie, get } = member;
    const headers = { 'idempotency-key': 'cancel' };
    const path = `/api/test/group-payments/${id}/cancel`;
    const cancelled = await dashboard.send('POST', path, { cookie, headers, body: {} });
    const answers = [
      await get('/api/test/group-payments'),
      await get('/api/test/search?text=dinner'),
      cancelled,
    ];
    for (const { status, body } of answers) {
      expect({ status, body }).toMatchObject({ status: 200 });
      expect(JSON.stringify(body)).not.toMatch(TOKEN);
    }
    for (const format of ['csv', 'jsonl']) {
      const file = await openDownload(
        dashboard.server.port,
        `/api/test/group-payments/export?format=${format}`,
        cookie,
      );
      const text = await file.read();
      expect(text).toContain(id);
      expect(text).not.toMatch(TOKEN);
    }
  });
});

describe('POST /roll-organiser-link', () => {
  const roll = (key?: string) =>
    dashboard.send('POST', `/api/test/group-payments/${id}/roll-organiser-link`, {
      cookie: member.cookie,
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
      body: {},
    });
  const noted = () =>
    dashboard.rows(
      `select details from audit_log where merchant_id = $1 and action = 'organiser_link.roll_requested' order by id`,
      [member.id],
    );

  it('a roll of the organiser’s link answers with the new one, and the audit log has who asked and no link (Q83)', async () => {
    const organiser_url = 'https://pay.example/o/new-token-of-the-organiser';
    expect(await roll('k1')).toMatchObject({ status: 200, body: { organiser_url } });
    expect(rolled).toMatchObject([
      { merchant_id: member.id, mode: 'test', group_id: id, actor: `dashboard:${member.email}` },
    ]);
    expect(await noted()).toEqual([{ details: { mode: 'test', group_payment_id: id } }]);
  });

  it('the same key is the same replacement, another key another, and no key is a 400 (Q83)', async () => {
    for (const key of ['k2', 'k2', 'k3']) await roll(key);
    const [first, second, third] = rolled.map(({ command_id }) => command_id);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect(await roll()).toMatchObject({ status: 400, body: { param: 'Idempotency-Key' } });
    expect(rolled).toHaveLength(3);
  });

  it('a developer replaces a link that leaked, and does not get the new one (Q83)', async () => {
    const { cookie } = await dashboard.colleague(member, 'developer');
    const headers = { 'idempotency-key': 'k5' };
    const path = `/api/test/group-payments/${id}/roll-organiser-link`;
    const { status, body } = await dashboard.send('POST', path, { cookie, headers, body: {} });
    expect({ status, body }).toEqual({ status: 200, body: {} });
    expect(rolled).toHaveLength(1);
  });

  it('a roll of a group payment without an organiser is a 404 (Q83)', async () => {
    organiser = undefined;
    expect(await roll('k4')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('a group payment by hand', () => {
  let count = 0;
  const bill = { ...BILL, total_amount: '30.00', number_of_slots: 3 };
  const make = (body: object, who = member) =>
    dashboard.send('POST', '/api/test/group-payments', {
      cookie: who.cookie,
      headers: { 'idempotency-key': `by-hand-${(count += 1)}` },
      body: { ...bill, ...body },
    });

  it('a payment that is made by hand has the organiser that was chosen, and the answer has the link (Q83)', async () => {
    const { status, body } = await make({ organiser: { may: ['cancel', 'remind'] } });
    const organiser_url = `https://pay.example/o/${TOKEN}`;
    expect({ status, body }).toMatchObject({ status: 201, body: { id, organiser_url } });
    expect(created).toMatchObject([{ organiser: { may: ['cancel', 'remind'], latest_expires_at: null } }]);
  });

  it('a payment that is made by hand has no organiser unless one was chosen (Q83)', async () => {
    const { status, body } = await make({});
    expect({ status, body }).toMatchObject({ status: 201, body: { id } });
    expect(body).not.toHaveProperty('organiser_url');
    expect(created[0]).not.toHaveProperty('organiser');
  });

  it('a payment that is made by hand has the organiser of the setting, unless another or none was chosen (Q83)', async () => {
    const setRights = (organiser_rights: string[]) =>
      member.put('/api/organiser-rights', { mode: 'test', organiser_rights });
    await setRights(['remind']);
    await make({});
    await make({ organiser: { may: ['extend'] } });
    await make({ organiser: null });
    await setRights([]);
    expect(created.map((command) => command.organiser?.may)).toEqual([['remind'], ['extend'], undefined]);
  });

  it('a developer makes a payment with an organiser, and does not get the organiser’s link (Q83)', async () => {
    const { status, body } = await make(
      { organiser: { may: ['cancel'] } },
      await dashboard.colleague(member, 'developer'),
    );
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('organiser_url');
  });

  it.each([
    ['an unknown right', { may: ['refund'] }, 'organiser.may.0'],
    ['a right twice', { may: ['extend', 'extend'] }, 'organiser.may'],
    ['no rights', {}, 'organiser.may'],
    ['another field', { may: [], token: 'x' }, 'organiser.token'],
  ])('an organiser with %s is a 400 that names the field (Q84)', async (_what, wrong, param) => {
    expect(await make({ organiser: wrong })).toMatchObject({ status: 400, body: { param } });
    expect(created).toEqual([]);
  });
});
