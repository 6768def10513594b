import { expect, it } from '@jest/globals';
import { listExtensions } from './extensions.ts';

const end = '2026-01-01T12:00:00.000Z';
const keys = (latest: string | null) => listExtensions(end, latest).map(({ key }) => key);

it('an organiser may choose an hour, a day and the latest end, as far as the latest end allows', () => {
  expect(listExtensions(end, '2026-01-03T00:00:00.000Z')).toEqual([
    { key: 'addHour', expires_at: '2026-01-01T13:00:00.000Z' },
    { key: 'addDay', expires_at: '2026-01-02T12:00:00.000Z' },
    { key: 'addLatest', expires_at: '2026-01-03T00:00:00.000Z' },
  ]);
  expect(keys('2026-01-02T12:00:00.000Z')).toEqual(['addHour', 'addLatest']);
  expect(keys('2026-01-01T13:00:00.000Z')).toEqual(['addLatest']);
  expect(keys('2026-01-01T12:00:00.001Z')).toEqual(['addLatest']);
});

it('an organiser whose time is used up, or who may not extend, has no choice', () => {
  expect(keys(end)).toEqual([]);
  expect(keys('2026-01-01T11:00:00.000Z')).toEqual([]);
  expect(keys(null)).toEqual([]);
});
