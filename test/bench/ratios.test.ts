import { describe, expect, it } from '@jest/globals';
import { compare, computeSpread, notRun, ratios } from './ratios.ts';

const GOAL = { id: 'P', what: 'a measure', goal: 0.7 };

describe('figures of two rates', () => {
  it('the median of an even number of values is between the two in the middle', () => {
    expect(computeSpread([4, 1, 2, 10])).toEqual({ median: 3, min: 1, max: 10 });
  });

  it('each round of the subject is compared with the same round of the reference', () => {
    expect(ratios([10, 30], [10, 10])).toEqual({ median: 2, min: 1, max: 3 });
  });

  it('a figure has the median ratio with its spread and both rates', () => {
    expect(compare(GOAL, [80, 60, 70], [100, 100, 100])).toMatchObject({
      value: '0.7 (0.6–0.8), 70/s against 100/s',
      goal: '≥0.7',
      reached: true,
    });
  });

  it('a median below the goal misses it, whatever the best round gave', () => {
    expect(compare(GOAL, [60, 90, 65], [100, 100, 100]).reached).toBe(false);
  });

  it('a measure without its program says that it did not run, and reaches nothing', () => {
    expect(notRun(GOAL, 'redis-server')).toMatchObject({
      value: 'NOT RUN: redis-server is not installed',
      reached: false,
    });
  });
});
