import { describe, expect, it } from '@jest/globals';
import { parseTip, suggestTips } from './suggest.ts';

describe('the suggested tips', () => {
  it.each([
    [1_000n, 2, [50n, 100n, 150n]],
    [730n, 2, [40n, 70n, 110n]],
    [4_250n, 2, [200n, 400n, 600n]],
    [10_000n, 2, [500n, 1_000n, 1_500n]],
    [1_000n, 0, [50n, 100n, 150n]],
    [10_000n, 3, [500n, 1_000n, 1_500n]],
    [333n, 3, [20n, 30n, 50n]],
    [1n, 2, []],
  ])(
    'three tips are suggested for shares of %d minor units with %d decimals (Q91)',
    (price, digits, tips) => {
      expect(suggestTips(price, 99_999_999n, digits)).toEqual(tips);
    },
  );

  it('no more is suggested than a payment may add (Q91)', () => {
    expect(suggestTips(10_000n, 1_000n, 2)).toEqual([500n, 1_000n]);
  });
});

describe('a tip that a payer writes', () => {
  it.each([
    ['2', 2, 200n],
    ['2.5', 2, 250n],
    [' 2,50 ', 2, 250n],
    ['2.500', 2, 250n],
    ['7', 0, 7n],
    ['0.125', 3, 125n],
    ['€ 2.50', 2, 250n],
    ['2,50\u00a0€', 2, 250n],
    ['\u0662\u066b\u0665', 2, 250n],
    ['\u06f2.\u06f5\u06f0', 2, 250n],
  ])('%s with %d decimals is %d minor units (Q91)', (text, digits, minor) => {
    expect(parseTip(text, digits)).toBe(minor);
  });

  it.each(['', 'two', '-1', '2.505', '1.2.3', '1e3', '9999999999'])('%j is no amount (Q91)', (text) => {
    expect(parseTip(text, 2)).toBeUndefined();
  });
});
