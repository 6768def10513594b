import { describe, expect, it } from '@jest/globals';
import { computeRoom, computeUsage } from './pool.ts';

const policy = { most: 40, aside: 80, slowMs: 1_000 };
const used = (use: { trusted?: number; untrusted?: number; slow?: number }) =>
  computeUsage(policy, computeRoom(policy, { trusted: 0, untrusted: 0, slow: 0, ...use }));

describe('the share of the pool that is taken', () => {
  it('the used share of the pool is nothing while nothing is in flight, and everything when nothing more may be sent', () => {
    expect(used({})).toBe(0);
    expect(used({ trusted: 30 })).toBe(0.75);
    expect(used({ trusted: 40 })).toBe(1);
  });

  it('the used share of the pool is everything when only endpoints that replied before still find room', () => {
    expect(used({ untrusted: 20 })).toBe(1);
  });

  it('the used share of the pool does not count the reserve', () => {
    expect(used({ untrusted: 30, slow: 30 })).toBe(0);
  });
});
