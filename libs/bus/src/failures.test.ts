import { describe, expect, it } from '@jest/globals';
import { AppError } from '@gp/errors';
import { countFailures, MAX_TRIES, planRetry } from './failures.ts';

describe('a message that fails', () => {
  it('a message that fails is given up at its tenth failure, and stays so until it is forgotten (F2)', () => {
    const failures = countFailures();
    const fail = () => failures.add('1 m', new Error('broken'));
    for (let tries = 1; tries < MAX_TRIES; tries++) {
      expect(fail()).toEqual({ tries, pauseMs: [1_000, 5_000] });
      expect(failures.verdict('1 m')).toBeUndefined();
    }
    expect(fail()).toEqual({ tries: MAX_TRIES, pauseMs: undefined });
    expect(failures.verdict('1 m')).toBe('Error: broken');
    expect(failures.verdict('2 m')).toBeUndefined();
    failures.forget('1 m');
    expect(failures.verdict('1 m')).toBeUndefined();
  });

  it('a message that came too early is tried for a quarter of an hour, more rarely after the first tries (F2)', () => {
    const early = new AppError('conflict');
    let leastMs = 0;
    let tries = 1;
    for (; ; tries++) {
      const pauseMs = planRetry(tries, early);
      if (!pauseMs) break;
      leastMs += pauseMs[0];
    }
    expect(leastMs).toBeGreaterThan(10 * 60_000);
    expect(tries).toBeLessThan(50);
    expect(planRetry(MAX_TRIES - 1, early)).toEqual([1_000, 5_000]);
    expect(planRetry(MAX_TRIES, early)).toEqual([20_000, 40_000]);
    expect(planRetry(MAX_TRIES, new AppError('not_found'))).toBeUndefined();
  });
});
