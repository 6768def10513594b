import { expect, it } from '@jest/globals';
import { openStreams } from './open-streams.ts';

const mine = { merchantId: 'm1', mode: 'test' } as const;

it('a merchant has as many streams open as it may, in each mode, and one more after one has ended', () => {
  const streams = openStreams({ most: 100, perMerchant: 2 });
  const first = new AbortController();
  const { signal } = new AbortController();
  expect(streams.enter(mine, first.signal)).toBeUndefined();
  expect(streams.enter(mine, signal)).toBeUndefined();
  expect(streams.enter(mine, signal)).toBe('merchant');
  expect(streams.enter({ ...mine, mode: 'live' }, signal)).toBeUndefined();
  expect(streams.enter({ ...mine, merchantId: 'm2' }, signal)).toBeUndefined();
  first.abort();
  expect(streams.enter(mine, signal)).toBeUndefined();
  expect(streams.enter(mine, signal)).toBe('merchant');
  expect(streams.size()).toBe(4);
});

it('a process has as many streams open as it may, and a reader that has left counts for nothing', () => {
  const streams = openStreams({ most: 1, perMerchant: 5 });
  const { signal } = new AbortController();
  expect(streams.enter(mine, AbortSignal.abort())).toBeUndefined();
  expect(streams.enter(mine, signal)).toBeUndefined();
  expect(streams.enter({ ...mine, merchantId: 'm2' }, signal)).toBe('process');
  expect(streams.size()).toBe(1);
});
