import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { listEvents, sumGroups, type GroupSum, type RequestOf } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';

const uuid = (n: number) => `0198c3f0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const newEvent = (n: number, group: number) => ({
  id: uuid(n),
  type: 'group_payment.paid' as const,
  created: '2026-01-10T12:00:00.000Z',
  data: { group_payment_id: uuid(group), state: 'paid' },
});
/** Two of one group payment, and one of another. */
const events = [newEvent(23, 2), newEvent(22, 1), newEvent(21, 1)];
const money = { held_minor: '0', captured_minor: '0', refunded_minor: '0' };
const known: readonly GroupSum[] = [
  { group_id: uuid(1), group_name: 'Dinner', ...money },
  { group_id: uuid(2), group_name: 'Fondue', ...money },
];

let dashboard: Dashboard;
let member: Member;
let reply: () => readonly GroupSum[];
const asked: RequestOf<typeof sumGroups>[] = [];
beforeAll(async () => {
  dashboard = await openDashboard();
  member = await dashboard.newMerchant();
  dashboard.others.serve(listEvents, async ({ mode }) => ({
    events: mode === 'test' ? events : [],
    next: null,
  }));
  dashboard.others.serve(sumGroups, async (request) => {
    asked.push(request);
    return { sums: [...reply()] };
  });
});
afterAll(() => dashboard?.close());
beforeEach(() => {
  asked.splice(0);
  reply = () => known;
});

const listNames = async (mode = 'test') => {
  const { status, body } = await member.get(`/api/${mode}/events`);
  const { events: listed } = body as { events: { id: string; group_name: string | null }[] };
  return { status, names: listed.map(({ id, group_name }) => [id, group_name]) };
};

it('the events of a page have the names of their group payments, of one call for all of them', async () => {
  expect(await listNames()).toEqual({
    status: 200,
    names: [
      [uuid(23), 'Fondue'],
      [uuid(22), 'Dinner'],
      [uuid(21), 'Dinner'],
    ],
  });
  expect(asked).toEqual([{ merchant_id: member.id, mode: 'test', group_ids: [uuid(2), uuid(1)] }]);
  expect(await listNames('live')).toEqual({ status: 200, names: [] });
  expect(asked).toHaveLength(1);
});

it('events are listed without names while the ledger is unavailable, or of a release that sends none', async () => {
  const nameless = { status: 200, names: events.map(({ id }) => [id, null]) };
  reply = () => {
    throw new AppError('service_unavailable');
  };
  expect(await listNames()).toEqual(nameless);
  reply = () => known.map(({ group_name: _, ...sum }) => sum);
  expect(await listNames()).toEqual(nameless);
  expect(asked).toHaveLength(2);
});
