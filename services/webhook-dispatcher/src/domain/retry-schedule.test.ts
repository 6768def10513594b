import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseRetryAfter, publishedSchedule, computeWait } from './retry-schedule.ts';

const MINUTE = 60_000;
const waits = (random: number, retryAfterMs?: number) =>
  [1, 2, 3, 4, 5, 6, 7].map((attempt) => computeWait(publishedSchedule, attempt, { random, retryAfterMs }));

describe('the published retry schedule', () => {
  it('the published retry schedule is 1 m, 5 m, 30 m, 2 h, 5 h and 10 h after the immediate attempt, and then ends', () => {
    expect(waits(0)).toEqual(
      [1, 5, 30, 120, 300, 600]
        .map((minutes) => minutes * MINUTE)
        .concat(NaN)
        .map((ms) => (Number.isNaN(ms) ? undefined : ms)),
    );
  });

  it('the published retry schedule takes 17 hours and 36 minutes', () => {
    expect(publishedSchedule.reduce((sum, step) => sum + step, 0)).toBe((17 * 60 + 36) * MINUTE);
  });
});

describe('a wait', () => {
  it('a pause is never shorter than its step and at most a tenth longer', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, random) => {
          const step = publishedSchedule[attempt - 1]!;
          const wait = computeWait(publishedSchedule, attempt, { random })!;
          return wait >= step && wait <= step * 1.1;
        },
      ),
    );
  });

  it.each([
    ['asks for less than the step', 30_000, 60_000],
    ['asks for more than the step', 90_000, 90_000],
    ['asks for more than twice the step', 3_600_000, 120_000],
  ])('a pause follows a Retry-After that %s only within its limits', (_what, retryAfterMs, expected) => {
    expect(computeWait(publishedSchedule, 1, { random: 0, retryAfterMs })).toBe(expected);
  });

  it('a Retry-After does not cause another attempt after the last one', () => {
    expect(computeWait(publishedSchedule, 7, { random: 0, retryAfterMs: 60_000 })).toBeUndefined();
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-03-01T10:00:00Z');
  it.each([
    ['120', 120_000],
    ['0', 0],
    ['Sun, 01 Mar 2026 10:02:00 GMT', 120_000],
    ['Sun, 01 Mar 2026 09:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('the header Retry-After %j means %j ms', (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });
});
