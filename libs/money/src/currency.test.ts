import { describe, expect, it } from '@jest/globals';
import currencyCodes from 'currency-codes';
import { currencies, findCurrency } from './index.ts';

/** Codes in the package (its list is of June 2024) that have ended or that no payer can hold. */
const onlyThere = {
  ended: ['ANG', 'BGN', 'CUC'],
  funds: ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW'],
  unitsOfAccount: ['XDR', 'XSU', 'XUA'],
  metalsAndBonds: ['XAG', 'XAU', 'XBA', 'XBB', 'XBC', 'XBD', 'XPD', 'XPT'],
  noCurrency: ['XTS', 'XXX'],
};

/** Codes that began after the package's list. */
const onlyHere = ['XCG'];

describe('the currency table', () => {
  it('the currency table agrees with an independent list on code, number and decimals, but for the differences named here', () => {
    const excluded = new Set(Object.values(onlyThere).flat());
    const theirs = currencyCodes.data
      .filter(({ code }) => !excluded.has(code))
      .map(({ code, number, digits }) => ({ code, numeric: number, exponent: digits }))
      .sort((a, b) => (a.code < b.code ? -1 : 1));
    expect(currencies.filter(({ code }) => !onlyHere.includes(code))).toEqual(theirs);
  });

  it('the list of differences names none that does not exist', () => {
    const theirs = new Set(currencyCodes.codes());
    expect(
      Object.values(onlyThere)
        .flat()
        .filter((code) => !theirs.has(code)),
    ).toEqual([]);
    expect(onlyHere.filter((code) => theirs.has(code))).toEqual([]);
  });

  it('the currency table has every alphabetic and numeric code once, well formed', () => {
    expect(currencies).toHaveLength(155);
    expect(new Set(currencies.map(({ code }) => code)).size).toBe(155);
    expect(new Set(currencies.map(({ numeric }) => numeric)).size).toBe(155);
    expect(currencies.every((c) => /^[A-Z]{3}$/.test(c.code) && /^\d{3}$/.test(c.numeric))).toBe(true);
  });

  it.each([
    ['EUR', '978', 2],
    ['JPY', '392', 0],
    ['KWD', '414', 3],
    ['ALL', '008', 2],
    ['ISK', '352', 0],
    ['IQD', '368', 3],
    ['HUF', '348', 2],
    ['XCG', '532', 2],
    ['ZWG', '924', 2],
    ['SLE', '925', 2],
    ['XOF', '952', 0],
  ])('the currency table has %s as %s with %i decimals', (code, numeric, exponent) => {
    expect(findCurrency(code)).toEqual({ code, numeric, exponent });
  });

  it.each(['BGN', 'HRK', 'ANG', 'CUC', 'ZWL', 'SLL', 'XAD', 'XXX', 'XTS', 'XAU', 'CLF', 'UYI', 'UYW', 'XDR'])(
    'the currency table refuses %s: ended, or no money of a payer',
    (code) => {
      expect(findCurrency(code)).toBeUndefined();
    },
  );

  it.each(['eur', ' EUR', 'EU', '', 'constructor', '__proto__'])(
    'the currency table refuses %p as a code',
    (code) => {
      expect(findCurrency(code)).toBeUndefined();
    },
  );
});
