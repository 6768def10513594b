import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { openRefresher, type Refresher, type Schedule } from './refresher.ts';

const AT_ONCE: Schedule = { afterMs: [0], paceMs: 1_000 };
const LATER: Schedule = { afterMs: [1_000, 4_000], paceMs: 1_000 };

let loaded: string[];
let isBusy: boolean;
let refresher: Refresher;
beforeEach(() => {
  jest.useFakeTimers();
  [loaded, isBusy] = [[], false];
  const begin = Date.now();
  refresher = openRefresher((hash) => {
    if (isBusy) return false;
    loaded.push(`${hash} ${Date.now() - begin}`);
    return true;
  });
});
afterEach(() => {
  refresher.clear();
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

/** Marks a query as changed so many times a second, for so long. */
function change(hash: string, o: { schedule: Schedule; perSecond: number; seconds: number }): void {
  for (let n = 0; n < o.perSecond * o.seconds; n++) {
    refresher.mark(hash, o.schedule);
    jest.advanceTimersByTime(1_000 / o.perSecond);
  }
}

it('a hundred changes a second load a query at once, then once a second, and once after the last change', () => {
  change('list', { schedule: AT_ONCE, perSecond: 100, seconds: 3 });
  jest.advanceTimersByTime(60_000);
  expect(loaded).toEqual(['list 0', 'list 1000', 'list 2000', 'list 3000']);
});

it('a single change loads a query once', () => {
  refresher.mark('list', AT_ONCE);
  jest.advanceTimersByTime(60_000);
  expect(loaded).toEqual(['list 0']);
  refresher.mark('list', AT_ONCE);
  jest.advanceTimersByTime(60_000);
  expect(loaded).toEqual(['list 0', 'list 60000']);
});

it('each query has a pace of its own', () => {
  refresher.mark('list', AT_ONCE);
  jest.advanceTimersByTime(500);
  refresher.mark('list', AT_ONCE);
  refresher.mark('money', { afterMs: [0], paceMs: 5_000 });
  jest.advanceTimersByTime(100);
  refresher.mark('money', { afterMs: [0], paceMs: 5_000 });
  jest.advanceTimersByTime(60_000);
  expect(loaded).toEqual(['list 0', 'money 500', 'list 1000', 'money 5500']);
});

it('events are loaded a moment after a change, and once more when their deliveries have had time', () => {
  refresher.mark('events', LATER);
  jest.advanceTimersByTime(60_000);
  expect(loaded).toEqual(['events 1000', 'events 4000']);
});

it('events are loaded at a steady pace while changes go on, and once more after the last one', () => {
  change('events', { schedule: LATER, perSecond: 10, seconds: 5 });
  jest.advanceTimersByTime(60_000);
  const times = loaded.map((line) => Number(line.split(' ')[1]));
  expect(times[0]).toBe(1_000);
  expect(times.slice(1).every((time, index) => time - (times[index] ?? 0) >= 1_000)).toBe(true);
  expect(times.at(-1)).toBe(4_900 + 4_000);
  expect(times.length).toBeLessThan(9);
});

it('a query that is being loaded is loaded once more afterwards: its load may be older than the change', () => {
  isBusy = true;
  refresher.mark('list', AT_ONCE);
  jest.advanceTimersByTime(2_500);
  isBusy = false;
  jest.advanceTimersByTime(60_000);
  expect(loaded).toEqual(['list 3000']);
});

it('a page that is left loads nothing more, and knows whether something was outstanding', () => {
  expect(refresher.clear()).toBe(false);
  refresher.mark('list', AT_ONCE);
  expect(refresher.clear()).toBe(true);
  refresher.mark('list', AT_ONCE);
  jest.advanceTimersByTime(100);
  expect(refresher.clear()).toBe(false);
  jest.advanceTimersByTime(60_000);
  expect(loaded).toEqual(['list 0']);
});
