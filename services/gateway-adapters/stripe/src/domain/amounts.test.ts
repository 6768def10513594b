import { describe, expect, it } from '@jest/globals';
import { currencies, findCurrency, type Currency } from '@gp/money';
import { refuseAmount, toGatewayMinor } from '@gp/gateway';
import { amountRule } from './amounts.ts';

const currency = (code: string): Currency => findCurrency(code) as Currency;
const wire = (code: string, minor: bigint): bigint => {
  const rule = amountRule(currency(code));
  if (!rule) throw new Error('not taken');
  return toGatewayMinor(minor, currency(code), rule);
};

describe('amounts of gateway_a', () => {
  it.each([
    ['EUR', 1_234n, 1_234n],
    ['JPY', 500n, 500n],
    ['ISK', 5n, 500n],
    ['UGX', 5n, 500n],
    ['KWD', 5_120n, 5_120n],
    ['HUF', 20_000n, 20_000n],
    ['MGA', 500n, 5n],
  ] as const)('an amount of %s %s is sent as %s', (code, minor, expected) =>
    expect(wire(code, minor)).toBe(expected),
  );

  it.each([
    ['KWD', 5_124n],
    ['MGA', 501n],
    ['IQD', 1_000n],
    ['LYD', 1_000n],
  ] as const)('an amount of %s %s cannot be charged', (code, minor) =>
    expect(refuseAmount(amountRule(currency(code)), minor)).toBe('currency_not_supported_by_gateway'),
  );

  it.each([
    ['EUR', 49n],
    ['GBP', 29n],
    ['JPY', 49n],
    ['HUF', 17_499n],
    ['MXN', 999n],
  ] as const)('an amount of %s %s is below the published minimum, one more is not', (code, minor) => {
    expect(refuseAmount(amountRule(currency(code)), minor)).toBe('amount_below_gateway_minimum');
    expect(refuseAmount(amountRule(currency(code)), minor + 1n)).toBeUndefined();
  });

  it('an amount takes eight digits on the wire and no more, in every currency', () => {
    for (const each of currencies) {
      const rule = amountRule(each);
      if (!rule) continue;
      const most = rule.maximum - (rule.maximum % rule.unit);
      expect(refuseAmount(rule, most)).toBeUndefined();
      expect(toGatewayMinor(most, each, rule)).toBeLessThanOrEqual(99_999_999n);
      expect(refuseAmount(rule, most + rule.unit)).toBe('amount_above_gateway_maximum');
    }
  });
});
