import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import * as contracts from '@gp/contracts';
import type { GroupView, ListPosition, Mode, PaymentView, RequestOf } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';
import { openDownload, parseCsv, parseJsonLines } from './support/download.ts';

const at = '2026-01-10T12:00:00.000Z';
const uuid = (n: number) => `0198c3f0-0000-7000-8000-${String(n).padStart(12, '0')}`;

const newGroup = (n: number, o: Partial<GroupView> = {}): GroupView => ({
  id: uuid(n),
  merchant_id: 'm',
  mode: 'test',
  group_name: `Dinner ${n}`,
  merchant_order_id: `ORD-${n}`,
  client_reference: null,
  total_minor: '3003',
  currency: 'EUR',
  state: 'open',
  metadata: {},
  page_token: 'secret-link-of-a-payer-22',
  version: 1,
  expires_at: at,
  created_at: at,
  updated_at: at,
  ...o,
});
const newPayment = (n: number, o: Partial<PaymentView> = {}): PaymentView => ({
  id: uuid(1_000 + n),
  psp_code: 'gateway_a',
  state: 'captured',
  unknown: false,
  disputed: false,
  amount_minor: '2002',
  captured_minor: '2002',
  refunded_minor: '1',
  slot_ids: [uuid(1), uuid(2)],
  failure: null,
  created_at: at,
  customer_id: uuid(3),
  email: `payer${n}@example.com`,
  name: null,
  psp_reference: `pi_${n}`,
  ...o,
});

let dashboard: Dashboard;
let member: Member;
let other: Member;
/** The groups of the first merchant in test mode, newest first, and their payments. */
let groups: GroupView[] = [];
let payments: ReadonlyMap<string, PaymentView[]> = new Map();
let listed: RequestOf<typeof contracts.listGroups>[] = [];
let searched: RequestOf<typeof contracts.searchGroups>[] = [];
/** How many pages a test has asked for: a reader that asks for the same one again would never end. */
let pageCount = 0;
const MOST_PAGES = 30;

const isMine = ({ merchant_id, mode }: { merchant_id: string; mode: Mode }) =>
  merchant_id === member.id && mode === 'test';

/** Returns the items of a list behind a place, at most `limit`, and where the next page begins. */
function cut<T extends { id: string }>(
  all: readonly T[],
  { limit, after }: { limit: number; after?: ListPosition },
): { items: T[]; next: ListPosition | null } {
  pageCount += 1;
  if (pageCount > MOST_PAGES) throw new AppError('service_unavailable');
  const start = after ? all.findIndex(({ id }) => id === after.id) + 1 : 0;
  const items = all.slice(start, start + limit);
  const last = start + limit < all.length ? items.at(-1) : undefined;
  return { items, next: last ? { created_at: at, id: last.id } : null };
}

function playLedger(): void {
  const { others } = dashboard;
  others.serve(contracts.listGroups, async (request) => {
    listed.push(request);
    const { items, next } = cut(isMine(request) ? groups : [], request);
    return { groups: items, total: 0, next };
  });
  others.serve(contracts.searchGroups, async (request) => {
    searched.push(request);
    return { groups: isMine(request) ? groups.slice(0, 1) : [], is_cut: request.text === 'dinner' };
  });
  others.serve(contracts.sumGroups, async ({ group_ids }) => ({
    sums: group_ids.map((group_id) => ({
      ...{ group_id, held_minor: '1000', captured_minor: '2002', refunded_minor: '1' },
      is_disputed: group_id === uuid(1),
    })),
  }));
  // One reply holds two groups at most.
  others.serve(contracts.listPaymentsOfGroups, async ({ group_ids, limit }) => ({
    groups: group_ids.slice(0, 2).map((id) => {
      const { items, next } = cut(payments.get(id) ?? [], { limit });
      return { payments: items, next };
    }),
  }));
  others.serve(contracts.listPayments, async ({ group_id, ...request }) => {
    const { items, next } = cut(payments.get(group_id) ?? [], request);
    return { currency: 'EUR', payments: items, next };
  });
}

beforeAll(async () => {
  dashboard = await openDashboard();
  [member, other] = [await dashboard.newMerchant(), await dashboard.newMerchant()];
  playLedger();
});
afterAll(() => dashboard?.close());
beforeEach(() => {
  listed = [];
  searched = [];
  pageCount = 0;
});

const open = (path: string, who = member) => openDownload(dashboard.server.port, path, who.cookie);
const download = async (path: string, who = member): Promise<string> => {
  const { status, read } = await open(path, who);
  const file = await read();
  expect({ path, status, file }).toMatchObject({ status: 200 });
  return file;
};
const withFormat = (path: string, format: string) =>
  `${path}${path.includes('?') ? '&' : '?'}format=${format}`;
const readCsv = async (path: string, who = member) => parseCsv(await download(withFormat(path, 'csv'), who));
const readJsonLines = async (path: string, who = member) =>
  parseJsonLines(await download(withFormat(path, 'jsonl'), who));

describe('group payments as a file', () => {
  beforeAll(() => {
    groups = Array.from({ length: 250 }, (_, n) => newGroup(n));
  });

  it('every group payment is in the file once, in the order of the list, read page by page without counting (Q56)', async () => {
    const rows = await readCsv('/api/test/group-payments/export');
    expect(rows.map(({ id }) => id)).toEqual(groups.map(({ id }) => id));
    expect(listed.map(({ after, limit, without_total }) => [after?.id, limit, without_total])).toEqual([
      [undefined, 100, true],
      [uuid(99), 100, true],
      [uuid(199), 100, true],
    ]);
  });

  it('a downloaded file has exact amounts, in minor units and with the decimals of their currency, and no name is a formula (Q56)', async () => {
    groups = [
      newGroup(1, { group_name: '=Zoë', client_reference: 'bill "7"', metadata: { table: '7' } }),
      newGroup(2, { currency: 'JPY' }),
      newGroup(3, { currency: 'BHD' }),
    ];
    const [euros, yen, dinars] = await readCsv('/api/test/group-payments/export');
    expect(euros).toEqual({
      ...{ id: uuid(1), group_name: "'=Zoë", merchant_order_id: 'ORD-1', client_reference: 'bill "7"' },
      ...{ state: 'open', currency: 'EUR' },
      ...{ amount_total: '30.03', amount_on_hold: '10.00', amount_net: '20.02', amount_refunded: '0.01' },
      ...{ amount_total_minor: '3003', amount_on_hold_minor: '1000', amount_net_minor: '2002' },
      ...{ amount_refunded_minor: '1', created_at: at, updated_at: at, expires_at: at },
      ...{ metadata: '{"table":"7"}', is_disputed: 'true' },
    });
    expect(yen).toMatchObject({
      is_disputed: 'false',
      amount_total: '3003',
      amount_total_minor: '3003',
      amount_refunded: '1',
    });
    expect(dinars).toMatchObject({
      amount_total: '3.003',
      amount_on_hold: '1.000',
      amount_refunded: '0.001',
    });
    const [line] = await readJsonLines('/api/test/group-payments/export');
    expect(line).toEqual({ ...euros, group_name: '=Zoë', metadata: { table: '7' }, is_disputed: true });
  });

  it('a file has no checkout link, because anyone with the link may pay (Q56)', async () => {
    for (const path of ['group-payments', 'payments'])
      for (const format of ['csv', 'jsonl'])
        expect(await download(`/api/test/${path}/export?format=${format}`)).not.toContain('secret-link');
  });

  it('the file has the group payments that match the filters, in the mode of the request (Q56, Q112, S9)', async () => {
    const filter = `state=paid&disputed=true&created_after=2026-01-01T00:00:00%2B01:00&created_before=2026-01-31T23:59:59.999Z`;
    for (const path of ['group-payments', 'payments'])
      await download(`/api/live/${path}/export?${filter}&format=csv`);
    const wanted = {
      ...{ merchant_id: member.id, mode: 'live', limit: 100, offset: 0, without_total: true },
      ...{ state: 'paid', disputed: true, created_after: '2025-12-31T23:00:00.000Z' },
      created_before: '2026-01-31T23:59:59.999999Z',
    };
    expect(listed).toEqual([wanted, wanted]);
  });

  it('the file of a search has the group payments that the search finds, and no filter applies beside a search (Q56)', async () => {
    const rows = await readCsv('/api/test/group-payments/export?text=ana@example.com');
    expect(rows.map(({ id }) => id)).toEqual([uuid(1)]);
    expect(searched).toEqual([{ merchant_id: member.id, mode: 'test', text: 'ana@example.com' }]);
    const refused = await member.get('/api/test/group-payments/export?text=ana&state=paid&format=csv');
    expect(refused).toMatchObject({ status: 400, body: { param: 'text' } });
  });

  it('the name of a file says when it has only a part of what the search finds (Q56)', async () => {
    for (const [text, name] of [
      ['ana@example.com', 'test-20'],
      ['dinner', 'test-newest-1-20'],
    ])
      for (const path of ['group-payments', 'payments']) {
        const { headers, read } = await open(`/api/test/${path}/export?text=${text}&format=csv`);
        expect(headers['content-disposition']).toContain(`filename="${path}-${name}`);
        await read();
      }
  });

  it.each([
    ...['', 'format=xlsx', 'format=csv&limit=1', 'format=csv&state=none', 'format=csv&created_after=x'],
    'format=csv&disputed=false',
  ])('a request for a file with the query %j gets a 400 (Q56)', async (query) => {
    for (const path of ['group-payments', 'payments'])
      expect(await member.get(`/api/test/${path}/export?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'validation_error' },
      });
    expect(listed).toEqual([]);
  });

  it('the file of another merchant, or of the other mode, has none of these rows (S9)', async () => {
    for (const path of ['group-payments', 'payments']) {
      expect(await readCsv(`/api/test/${path}/export`, other)).toEqual([]);
      expect(await readCsv(`/api/live/${path}/export`)).toEqual([]);
    }
    expect(await readCsv('/api/test/group-payments/export')).toHaveLength(3);
  });
});

describe('payments as a file', () => {
  beforeAll(() => {
    groups = [1, 2, 3].map((n) => newGroup(n, { client_reference: `bill ${n}` }));
    const failure = { code: 'card_declined', message: 'the card was declined', retryable: true };
    payments = new Map([
      [uuid(1), [newPayment(1, { name: 'Ana', tip_minor: '150' })]],
      [uuid(3), Array.from({ length: 150 }, (_, n) => newPayment(n + 2, { failure, state: 'failed' }))],
    ]);
  });

  it('every payment is in the file with payer, gateway, amounts and group payment, however many a group has (Q56)', async () => {
    const rows = await readCsv('/api/test/payments/export');
    expect(rows.map(({ id }) => id)).toEqual(
      [...payments.values()].flatMap((some) => some.map(({ id }) => id)),
    );
    expect(rows[0]).toEqual({
      ...{ id: uuid(1_001), state: 'captured', currency: 'EUR' },
      ...{ amount: '20.02', amount_captured: '20.02', amount_refunded: '0.01', amount_tip: '1.50' },
      ...{ amount_minor: '2002', amount_captured_minor: '2002', amount_refunded_minor: '1' },
      amount_tip_minor: '150',
      ...{ psp_code: 'gateway_a', psp_reference: 'pi_1', created_at: at },
      ...{ payer_email: 'payer1@example.com', payer_name: 'Ana', customer_id: uuid(3) },
      ...{ group_payment_id: uuid(1), group_name: 'Dinner 1', merchant_order_id: 'ORD-1' },
      ...{ client_reference: 'bill 1', slot_ids: `${uuid(1)} ${uuid(2)}` },
      ...{ is_disputed: 'false', is_unknown: 'false', failure_code: '', failure_message: '' },
    });
    expect(rows.at(-1)).toMatchObject({ group_payment_id: uuid(3), failure_code: 'card_declined' });
    expect(rows.at(-1)).toMatchObject({ amount_tip: '0.00', amount_tip_minor: '0' });
  });

  it('a JSON-lines file of payments has each payment with its slots and its failure (Q56)', async () => {
    const lines = await readJsonLines('/api/test/payments/export');
    expect(lines).toHaveLength(151);
    expect(lines.at(-1)).toMatchObject({
      ...{ amount: '20.02', amount_minor: '2002', slot_ids: [uuid(1), uuid(2)] },
      failure: { code: 'card_declined', message: 'the card was declined' },
    });
  });
});

describe('events as a file', () => {
  const asked: RequestOf<typeof contracts.listEvents>[] = [];
  const data = { group_payment_id: uuid(1), merchant_order_id: 'ORD-1', currency: 'EUR' };
  const events = [
    {
      id: uuid(21),
      type: 'group_payment.paid' as const,
      created: at,
      data: { ...data, state: 'paid', amount_captured: 0.29, amount_refunded: 0 },
    },
    {
      id: uuid(20),
      type: 'payment_intent.refunded' as const,
      created: at,
      data: {
        ...data,
        payment_intent_id: uuid(9),
        refund_id: uuid(8),
        psp_code: 'gateway_a',
        amount: 1234567.8,
        tip: 0.5,
      },
    },
  ];
  beforeAll(() => {
    dashboard.others.serve(contracts.listEvents, async (request) => {
      asked.push(request);
      const { items, next } = cut(isMine(request) ? events : [], { ...request, limit: 1 });
      return { events: items, next };
    });
  });

  it('a CSV file of events has their fields with exact amounts, and a JSON-lines file has events as they were delivered (Q56)', async () => {
    const rows = await readCsv('/api/test/events/export');
    expect(rows).toMatchObject([
      { id: uuid(21), type: 'group_payment.paid', created: at, group_payment_id: uuid(1), amount: '' },
      { id: uuid(20), payment_intent_id: uuid(9), refund_id: uuid(8), psp_code: 'gateway_a' },
    ]);
    expect(rows[0]).toMatchObject({ amount_captured: '0.29', amount_captured_minor: '29' });
    expect(rows[0]).toMatchObject({ amount_refunded: '0.00', amount_refunded_minor: '0' });
    expect(rows[1]).toMatchObject({ amount: '1234567.80', amount_minor: '123456780' });
    expect(rows.map(({ tip, tip_minor }) => [tip, tip_minor])).toEqual([
      ['', ''],
      ['0.50', '50'],
    ]);
    expect(JSON.parse(rows[1]?.['data'] ?? '')).toEqual(events[1]?.data);
    expect(await readJsonLines('/api/test/events/export')).toEqual(events);
    expect(await readCsv('/api/test/events/export', other)).toEqual([]);
  });

  it('the file of events has the events that match the filters (Q56)', async () => {
    asked.splice(0);
    const filter = `type=group_payment.paid&delivered=false&group_payment_id=${uuid(1)}`;
    await download(`/api/live/events/export?${filter}&created_after=${at}&created_before=${at}&format=csv`);
    expect(asked).toEqual([
      {
        ...{ merchant_id: member.id, mode: 'live', limit: 100, type: 'group_payment.paid', delivered: false },
        ...{ group_payment_id: uuid(1), created_after: at, created_before: at.replace('Z', '999Z') },
      },
    ]);
  });
});

describe('deliveries as a file', () => {
  const endpoint = uuid(50);
  const attempt = {
    ...{
      id: uuid(61),
      number: 2,
      trigger: 'automatic' as const,
      ended_at: at,
      url: 'https://shop.example/a',
    },
    ...{ request_headers: {}, remote_address: null, timings: {}, outcome: 'status_5xx', error_class: null },
    ...{ http_status: 503, response_body: 'down', next_attempt_at: null },
  };
  const delivery = {
    ...{ id: uuid(60), event_id: uuid(60), event_type: 'group_payment.paid' as const, is_test_event: false },
    ...{ state: 'pending' as const, resend_pending: false, attempt_count: 2, next_attempt_at: at },
    ...{ created_at: at, settled_at: null, attempts: [attempt] },
  };
  const asked: RequestOf<typeof contracts.listDeliveries>[] = [];
  beforeAll(() => {
    dashboard.others.serve(contracts.listDeliveries, async (request) => {
      asked.push(request);
      if (!isMine(request) || request.endpoint_id !== endpoint) throw new AppError('not_found');
      return { deliveries: [delivery], next: null };
    });
  });
  const path = `/api/test/webhooks/${endpoint}/deliveries/export`;

  it('the CSV file has each delivery with the result of its latest attempt, and the JSON-lines file has all attempts (Q56)', async () => {
    expect(await readCsv(`${path}?state=pending&event_type=group_payment.paid`)).toEqual([
      {
        ...{ event_id: uuid(60), event_type: 'group_payment.paid', is_test_event: 'false', state: 'pending' },
        ...{ attempt_count: '2', created_at: at, settled_at: '', next_attempt_at: at },
        ...{ resend_pending: 'false', last_attempt_at: at, last_url: 'https://shop.example/a' },
        ...{ last_outcome: 'status_5xx', last_http_status: '503' },
      },
    ]);
    expect(asked.at(-1)).toEqual({
      ...{ merchant_id: member.id, mode: 'test', endpoint_id: endpoint, limit: 100 },
      ...{ state: 'pending', event_type: 'group_payment.paid' },
    });
    expect(await readJsonLines(path)).toEqual([delivery]);
  });

  it('the deliveries of another merchant’s endpoint, or of one of the other mode, are a 404 (S9)', async () => {
    for (const [who, address] of [
      [other, path],
      [member, path.replace('test', 'live')],
      [member, path.replace(endpoint, randomUUID())],
    ] as const)
      expect(await who.get(`${address}?format=jsonl`)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
  });
});

describe('the team as a file', () => {
  it('the file of a team has its members and invitations with roles and second factors, and nobody of another team (Q56)', async () => {
    const owner = await dashboard.newMerchant();
    const viewer = await dashboard.colleague(owner, 'viewer');
    const email = `new-${owner.id}@merchants.example`;
    await owner.post('/api/team/invitations', { email, role: 'support' });
    const rows = await readCsv('/api/team/export', viewer);
    expect(rows.map((row) => [row['email'], row['role'], row['status']])).toEqual(
      expect.arrayContaining([
        [owner.email, 'owner', 'member'],
        [viewer.email, 'viewer', 'member'],
        [email, 'support', 'invited'],
      ]),
    );
    expect(rows).toHaveLength(3);
    expect(rows.find((row) => row['email'] === owner.email)).toMatchObject({
      ...{ has_second_factor: 'false', live_keys: '0', invited_by: '' },
      joined_at: expect.stringMatching(/^20.*Z$/),
    });
    expect(rows.find((row) => row['email'] === email)).toMatchObject({
      ...{ invited_by: owner.email, joined_at: '', live_keys: '' },
      invitation_ends_at: expect.stringMatching(/^20.*Z$/),
    });
    expect((await readJsonLines('/api/team/export', viewer)).map((row) => row['email'])).toEqual(
      rows.map((row) => row['email']),
    );
  });
});
