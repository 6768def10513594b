import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { currencies, findCurrency, formatMinor, maxMinor, parseMinor, type Currency } from './index.ts';

const currency = (code: string): Currency => {
  const found = findCurrency(code);
  if (!found) throw new Error(`${code} is no currency`);
  return found;
};
const anyCurrency = fc.constantFrom(...currencies);
const anyMinor = fc.bigInt({ min: -maxMinor, max: maxMinor });

describe('reading an amount', () => {
  it.each([
    ['150.00', 'EUR', 15000n],
    ['150', 'EUR', 15000n],
    ['0.10', 'EUR', 10n],
    ['0.1', 'EUR', 10n],
    ['1e2', 'EUR', 10000n],
    ['1E+2', 'EUR', 10000n],
    ['1.5e1', 'JPY', 15n],
    ['1500e-3', 'EUR', 150n],
    ['100.000', 'JPY', 100n],
    ['3.334', 'KWD', 3334n],
    ['0', 'EUR', 0n],
    ['-0', 'EUR', 0n],
    ['-0.00', 'JPY', 0n],
    ['0e99999999', 'EUR', 0n],
    ['-12.34', 'EUR', -1234n],
    ['90071992547409.91', 'EUR', maxMinor],
    // The double nearest to this is 4.35 * 100 = 434.99999999999994.
    ['4.35', 'EUR', 435n],
  ])('the text %s %s is %p minor units', (text, code, minor) => {
    expect(parseMinor(text, currency(code))).toEqual({ ok: true, minor });
  });

  it.each([
    ['0.001', 'EUR', 'at most 2 decimals for EUR'],
    ['10.5', 'JPY', 'at most 0 decimals for JPY'],
    ['1.2345', 'KWD', 'at most 3 decimals for KWD'],
    ['1e-3', 'EUR', 'at most 2 decimals for EUR'],
    ['1e-99999999999999999999', 'EUR', 'at most 2 decimals for EUR'],
    ['90071992547409.92', 'EUR', 'must be at most 90071992547409.91 EUR'],
    ['1e99999999', 'EUR', 'must be at most 90071992547409.91 EUR'],
    ['1e400', 'JPY', 'must be at most 9007199254740991 JPY'],
    ['1e99999999999999999999999999', 'EUR', 'must be at most 90071992547409.91 EUR'],
    ['-1e99999999999', 'EUR', 'must be at most 90071992547409.91 EUR'],
  ])('the text %s %s is refused: %s', (text, code, reason) => {
    expect(parseMinor(text, currency(code))).toEqual({ ok: false, reason });
  });

  it.each([
    '',
    ' 1',
    '1 ',
    '+1',
    '01',
    '.5',
    '5.',
    '1e',
    '0x10',
    '1_000',
    '1,5',
    'NaN',
    'Infinity',
    '١',
    '1\n',
    '--1',
  ])('the text %p is no JSON number', (text) => {
    expect(parseMinor(text, currency('EUR'))).toEqual({ ok: false, reason: 'must be a plain number' });
  });

  it('a parser of amounts does not read megabytes of digits', () => {
    expect(parseMinor('9'.repeat(5_000_000), currency('EUR'))).toEqual({
      ok: false,
      reason: 'must be a plain number',
    });
    expect(parseMinor(`1e${'9'.repeat(60)}`, currency('EUR')).ok).toBe(false);
  });

  it('a parsed amount equals every amount that was written, in every currency', () => {
    fc.assert(
      fc.property(anyCurrency, anyMinor, (c, minor) => {
        expect(parseMinor(formatMinor(minor, c), c)).toEqual({ ok: true, minor });
      }),
      { numRuns: 2000 },
    );
  });

  it('a parsed amount depends on the value, not on its spelling', () => {
    fc.assert(
      fc.property(anyCurrency, anyMinor, fc.nat(8), fc.nat(8), (c, minor, zeros, decimals) => {
        // The same value with zeros in front of the point, zeros behind it, and an exponent that undoes both.
        const spelled = `${minor}${minor === 0n ? '' : '0'.repeat(zeros)}${decimals > 0 ? `.${'0'.repeat(decimals)}` : ''}`;
        const power = -c.exponent - (minor === 0n ? 0 : zeros);
        expect(parseMinor(`${spelled}e${power}`, c)).toEqual({ ok: true, minor });
      }),
    );
  });

  it('a parser of amounts either reads exactly what JSON means or refuses, for any JSON number', () => {
    const number = fc.stringMatching(/^-?(0|[1-9][0-9]{0,17})(\.[0-9]{1,6})?([eE][+-]?[0-9]{1,2})?$/);
    fc.assert(
      fc.property(anyCurrency, number, (c, text) => {
        const parsed = parseMinor(text, c);
        const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
        const [whole = '', fraction = ''] = mantissa.split('.');
        // The value as a fraction of integers: (digits × 10^up) / 10^down minor units.
        const shift = Number(power) + c.exponent - fraction.length;
        const numerator = BigInt(whole + fraction) * 10n ** BigInt(Math.max(shift, 0));
        const denominator = 10n ** BigInt(Math.max(-shift, 0));
        const isWhole = numerator % denominator === 0n;
        const minor = numerator / denominator;
        const isSmall = minor <= maxMinor && minor >= -maxMinor;
        expect(parsed.ok).toBe(isWhole && isSmall);
        if (parsed.ok) expect(parsed.minor).toBe(minor);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('writing an amount', () => {
  it.each([
    [15000n, 'EUR', '150.00'],
    [5n, 'EUR', '0.05'],
    [0n, 'EUR', '0.00'],
    [-5n, 'EUR', '-0.05'],
    [100n, 'JPY', '100'],
    [3334n, 'KWD', '3.334'],
    [1n, 'KWD', '0.001'],
  ])('the amount of %p minor units of %s is written %s', (minor, code, text) => {
    expect(formatMinor(minor, currency(code))).toBe(text);
  });

  it('a written amount is always a JSON number with all decimals of the currency', () => {
    fc.assert(
      fc.property(anyCurrency, anyMinor, (c, minor) => {
        const text = formatMinor(minor, c);
        expect(typeof JSON.parse(text)).toBe('number');
        expect(text.split('.')[1]?.length ?? 0).toBe(c.exponent);
      }),
    );
  });
});
