import { expect, it } from '@jest/globals';
import { findSchedule } from './staleness.ts';

const id = '0198c3f0-0000-7000-8000-00000000000a';
const other = '0198c3f0-0000-7000-8000-00000000000b';
const find = (key: readonly unknown[], changed: ReadonlySet<string> | 'all' = new Set([id])) =>
  findSchedule(key, { mode: 'test', changed });

it('a changed group payment makes its own page stale, and not that of another one', () => {
  expect(find(['test', 'group-payments', id])).toEqual({ afterMs: [0, 3_000], paceMs: 1_000 });
  expect(find(['test', 'group-payments', id, 'refund-preview', 'slot_ids=x'])).toBeDefined();
  expect(find(['test', 'group-payments', other])).toBeUndefined();
  expect(find(['test', 'group-payments', other], 'all')).toBeDefined();
});

it.each([
  [['test', 'group-payments']],
  [['test', 'group-payments', 'state=open&limit=100']],
  [['test', 'search', 'text=dinner']],
  [['test', 'customers']],
])('rows of %j are loaded again at once, and once a second at most', (key) => {
  expect(find(key)).toEqual({ afterMs: [0], paceMs: 1_000 });
});

it.each([
  [['test', 'setup']],
  [['test', 'customers', other]],
  [['test', 'customers', other, 'payments']],
  [['test', 'balance']],
  [['test', 'statement', 'from=2026-01-01']],
  [['test', 'charts', 'money', 'days=30']],
])('sums of %j are loaded again at once, and more rarely after that', (key) => {
  expect(find(key)).toEqual({ afterMs: [0], paceMs: 5_000 });
});

it.each([
  [['test', 'events']],
  [['test', 'events', 'type=group_payment.paid']],
  [['test', 'webhooks']],
  [['test', 'webhooks', other]],
  [['test', 'webhooks', other, 'deliveries', 'state=failed']],
  [['test', 'charts', 'webhooks', 'days=7']],
])('events and deliveries of %j are loaded again once they have been written, and once more', (key) => {
  expect(find(key)?.afterMs).toEqual([1_000, 4_000]);
});

it.each([
  [['live', 'group-payments']],
  [['me']],
  [['team']],
  [['test', 'keys']],
  [['test', 'requests']],
  [['test', 'events', other]],
])('%j does not depend on group payments of the mode', (key) => {
  expect([find(key), find(key, 'all')]).toEqual([undefined, undefined]);
});
