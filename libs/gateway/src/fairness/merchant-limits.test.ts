import { describe, expect, it } from '@jest/globals';
import { findLimits, findRates, OWN_LIMITS } from './merchant-limits.ts';

describe('the limits of a merchant', () => {
  const settings = {
    accountCallsPerSecond: 20,
    merchantConcurrency: 12,
    merchantLimits: { big: '100:64', slow: '2:1' },
  };

  it.each([
    ['big', { callsPerSecond: 100, concurrency: 64 }],
    ['slow', { callsPerSecond: 2, concurrency: 1 }],
    ['other', { callsPerSecond: 20, concurrency: 12 }],
    ['constructor', { callsPerSecond: 20, concurrency: 12 }],
  ])('the limits of the merchant %s are its own ones, or those of everybody', (merchantId, limits) => {
    expect(findLimits(settings, merchantId)).toEqual(limits);
  });

  it('an account is called as often a second as the limits of its merchant say', () => {
    const findRate = findRates(settings);
    expect(findRate({ merchantId: 'big' })).toEqual({ perSecond: 100, burst: 100 });
    expect(findRate({ merchantId: 'other' })).toEqual({ perSecond: 20, burst: 20 });
  });

  it('without own limits every merchant has those of everybody', () => {
    expect(findLimits({ accountCallsPerSecond: 1, merchantConcurrency: 2 }, 'big')).toEqual({
      callsPerSecond: 1,
      concurrency: 2,
    });
  });

  it.each(['0:1', '1:0', '1001:1', '1', '1:2:3', '-1:1', '1.5:1', ''])(
    'own limits are two numbers from 1 to 1000: %p is refused',
    (written) => {
      expect(new RegExp(`^(?:${OWN_LIMITS.source})$`).test(written)).toBe(false);
    },
  );
});
