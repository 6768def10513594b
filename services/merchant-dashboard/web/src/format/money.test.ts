import { describe, expect, it } from '@jest/globals';
import { formatMoney, computeShare } from './money.ts';

const money = (minor: string, text: string, currency: string) => ({ minor, text, currency });
const plain = (text: string) => text.replace(/\s/g, ' ');

describe('an amount on a page', () => {
  it.each([
    ['cents that Intl would hide are shown', '1990.50', 'HUF', 'en', 'HUF 1,990.50'],
    ['no digits are invented', '3000', 'JPY', 'en', '¥3,000'],
    ['three decimals stay three', '3.334', 'BHD', 'en', 'BHD 3.334'],
    ['the locale decides on signs and order', '1234.50', 'EUR', 'de', '1.234,50 €'],
    ['digits beyond a double are kept', '90071992547409.91', 'EUR', 'en', '€90,071,992,547,409.91'],
  ])('the amount %s', (_title, text, currency, locale, expected) => {
    expect(plain(formatMoney({ text, currency }, locale))).toBe(expected);
  });

  it('an amount is drawn as its share of the whole, and as nothing of nothing', () => {
    const whole = money('9000', '90.00', 'EUR');
    expect(computeShare(money('3000', '30.00', 'EUR'), whole)).toBeCloseTo(1 / 3, 3);
    expect(computeShare(whole, whole)).toBe(1);
    expect(computeShare(whole, money('0', '0.00', 'EUR'))).toBe(0);
  });
});
