import { expect, it } from '@jest/globals';
import { amountText } from './amount.ts';

it.each([
  [1234n, 'eur', 2, '€12.34'],
  [5n, 'USD', 2, '$0.05'],
  [1200n, 'JPY', 0, '¥1,200'],
  [1230n, 'KWD', 3, 'KWD 1.230'],
  [150000n, 'HUF', 2, 'HUF 1,500.00'],
  [900719925474099123n, 'EUR', 2, '€9,007,199,254,740,991.23'],
])('the sandbox shows %p minor units of %s with %i decimals as %p', (minor, currency, decimals, text) => {
  expect(amountText(minor, currency, decimals).replaceAll('\u00a0', ' ')).toBe(text);
});
