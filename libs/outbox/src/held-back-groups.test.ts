import { expect, it } from '@jest/globals';
import { AppError } from '@gp/errors';
import { heldBackGroups } from './held-back-groups.ts';
import type { OutboxRow } from './outbox.row.ts';

const row = (group_key: string): OutboxRow => ({
  position: 1n,
  id: 'id',
  subject: 's',
  group_key,
  mode: 'test',
  payload: {},
  traceparent: null,
});
const refused = (key: string, error: unknown = new AppError('internal_error')) => ({ row: row(key), error });

it('a refused group waits one second, then twice as long each time, at most a minute', () => {
  let now = 0;
  const groups = heldBackGroups(() => now);
  const waits: number[] = [];
  for (let i = 0; i < 8; i += 1) {
    groups.record({ sent: [], failed: [refused('g')] });
    const since = now;
    while (groups.keys().length > 0) now += 500;
    waits.push((now - since) / 1_000);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
});

it('a group is no longer held back after one success', () => {
  let now = 0;
  const groups = heldBackGroups(() => now);
  for (let i = 0; i < 5; i += 1) groups.record({ sent: [], failed: [refused('g')] });
  groups.record({ sent: [row('g')], failed: [] });
  expect(groups.keys()).toEqual([]);
  groups.record({ sent: [], failed: [refused('g')] });
  now = 1_000;
  expect(groups.keys()).toEqual([]);
});

it('a round in which the bus was away holds no group back', () => {
  const groups = heldBackGroups(() => 0);
  const outage = new AppError('service_unavailable');
  expect(groups.record({ sent: [], failed: [refused('a', outage), refused('b', outage)] })).toEqual([]);
  expect(groups.keys()).toEqual([]);
});

it('a message that alone cannot be stored is held back, whatever the bus calls it', () => {
  const groups = heldBackGroups(() => 0);
  const failure = refused('too-large', new AppError('service_unavailable'));
  expect(groups.record({ sent: [row('fine')], failed: [failure] })).toEqual([failure]);
  expect(groups.keys()).toEqual(['too-large']);
});
