import { describe, expect, it } from '@jest/globals';
import { findCurrency, type Currency } from '@gp/money';
import { fromGatewayMinor, refuseAmount, toGatewayMinor } from './amount.ts';

const currency = (code: string): Currency => findCurrency(code) as Currency;
const rule = { exponent: 2, unit: 10n, minimum: 50n, maximum: 1_000n };

describe('amounts on a gateway’s wire', () => {
  it.each([
    ['ISK', 5n, 2, 500n],
    ['EUR', 1_500n, 2, 1_500n],
    ['MGA', 1_500n, 0, 15n],
  ] as const)(
    'the amount %s %s is written in the gateway’s form, and read back the same',
    (code, minor, exponent, wire) => {
      const wanted = { ...rule, exponent };
      expect(toGatewayMinor(minor, currency(code), wanted)).toBe(wire);
      expect(fromGatewayMinor(wire, currency(code), wanted)).toBe(minor);
    },
  );

  it('amounts never lose digits', () =>
    expect(() => toGatewayMinor(1_501n, currency('MGA'), { ...rule, exponent: 0 })).toThrow());

  it.each([
    [100n, undefined],
    [40n, 'amount_below_gateway_minimum'],
    [1_010n, 'amount_above_gateway_maximum'],
    [105n, 'currency_not_supported_by_gateway'],
  ] as const)('the amount %s is refused with %s', (minor, code) =>
    expect(refuseAmount(rule, minor)).toBe(code),
  );

  it('a currency without a rule is refused', () =>
    expect(refuseAmount(undefined, 100n)).toBe('currency_not_supported_by_gateway'));
});
