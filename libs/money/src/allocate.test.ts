import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { allocate, maxMinor } from './index.ts';

describe('splitting a total', () => {
  it.each([
    ['100.00 EUR by 3', 10000n, 3, 1n, [3334n, 3333n, 3333n]],
    ['100 JPY by 3', 100n, 3, 1n, [34n, 33n, 33n]],
    ['10.000 KWD by 3', 10000n, 3, 1n, [3334n, 3333n, 3333n]],
    ['10.000 KWD by 3 in steps of 10 fils', 10000n, 3, 10n, [3340n, 3330n, 3330n]],
    ['one slot', 7n, 1, 1n, [7n]],
    ['one unit each', 30n, 30, 1n, Array.from({ length: 30 }, () => 1n)],
  ])('a total is split: %s', (_title, total, parts, unit, expected) => {
    expect(allocate(total, parts, unit)).toEqual(expected);
  });

  it.each([
    ['less than one unit a slot', 2n, 3, 1n],
    ['no multiple of the step', 10001n, 3, 10n],
    ['less than one step a slot', 20n, 3, 10n],
    ['zero', 0n, 1, 1n],
    ['a negative total', -10n, 2, 1n],
  ])('a split refuses %s', (_title, total, parts, unit) => {
    expect(allocate(total, parts, unit)).toBeUndefined();
  });

  it.each([0, -1, 1.5, NaN, Infinity])('a split throws for %p parts', (parts) => {
    expect(() => allocate(100n, parts)).toThrow(RangeError);
  });

  it('a split throws for a step that is not positive', () => {
    expect(() => allocate(100n, 2, 0n)).toThrow(RangeError);
  });

  it('a split loses nothing, differs by at most one unit, and gives the first T mod n parts the larger share', () => {
    const parts = fc.integer({ min: 1, max: 30 });
    const unit = fc.constantFrom(1n, 10n, 100n);
    const units = fc.bigInt({ min: 1n, max: maxMinor / 100n });
    fc.assert(
      fc.property(units, parts, unit, (count, n, u) => {
        const shares = allocate(count * u, n, u);
        if (count < BigInt(n)) return expect(shares).toBeUndefined();
        if (!shares) throw new Error('refused');
        expect(shares).toHaveLength(n);
        expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(count * u);
        const larger = Number(count % BigInt(n));
        const floor = count / BigInt(n);
        expect(shares).toEqual(shares.map((_, i) => (i < larger ? floor + 1n : floor) * u));
        expect(shares.every((share) => share % u === 0n && share >= u)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
