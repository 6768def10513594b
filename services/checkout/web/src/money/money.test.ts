import { currencies, formatMinor } from '@gp/money';
import { formatDecimal, moneyFormat, addAmounts } from './money.ts';

/** Returns the decimals of a currency as the server sends them. */
const digits = (code: string): number => currencies.find((currency) => currency.code === code)!.exponent;

describe('amounts on the page', () => {
  it('amounts on the page are written with the digits the server writes, in every currency', () => {
    for (const currency of currencies)
      for (const minor of [0n, 1n, 99n, 1_000n, 123_456_789n, 9_007_199_254_740_991n])
        expect(formatDecimal(minor, currency.exponent)).toBe(formatMinor(minor, currency));
  });

  it.each([
    ['en', 'HUF', 123_45n, 'HUF 123.45'],
    ['es', 'COP', 100n, '1,00 COP'],
    ['en', 'IDR', 5n, 'IDR 0.05'],
    ['en', 'JPY', 5n, '¥5'],
    ['en', 'KWD', 3_334n, 'KWD 3.334'],
    ['de', 'EUR', 123_456n, '1.234,56 €'],
  ])('an amount shows in %s the cents of %s, which Intl may hide', (locale, code, minor, shown) => {
    const plain = moneyFormat(locale, code, digits(code))(minor).replaceAll(/[\u00a0\u202f]/g, ' ');
    expect(plain).toBe(shown);
  });

  it.each([
    ['ro', 'EUR', '1.234,56 EUR'],
    ['en', 'CHF', 'CHF 1,234.56'],
    ['pl', 'EUR', '1234,56\u00a0€'],
    ['pl', 'PLN', '1234,56 zł'],
  ])('an amount in %s in %s can be broken before its letters, and nowhere else', (locale, code, shown) => {
    expect(moneyFormat(locale, code, 2)(123_456n)).toBe(shown);
  });

  it('amounts on the page keep every digit of the largest amount', () => {
    expect(moneyFormat('en', 'EUR', 2)(9_007_199_254_740_991n)).toBe('€90,071,992,547,409.91');
  });

  it('amounts on the page sum without rounding', () => {
    expect(addAmounts([3_334n, 3_333n, 3_333n])).toBe(10_000n);
    expect(addAmounts([])).toBe(0n);
  });
});
