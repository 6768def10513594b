import { describe, expect, it } from '@jest/globals';
import { currencies, findCurrency, formatMinor } from '@gp/money';
import fc from 'fast-check';
import { allocationUnit, isGatewayDependent } from './allocation-unit.ts';
import { createGroup } from './create.ts';

const gateways = ['gateway_a', 'gateway_b', 'gateway_c'] as const;
const hour = 3_600_000;

/** A group split equally for the gateway that is active. */
function created(code: string, totalMinor: bigint, numberOfSlots: number, unitMinor: bigint) {
  let ids = 0;
  return createGroup(
    {
      id: 'group',
      merchantId: 'm1',
      mode: 'test',
      currency: code,
      totalMinor,
      expiresAtMs: hour,
      distribution: { type: 'equally', numberOfSlots, unitMinor },
    },
    { nowMs: 0, newId: () => `id-${(ids += 1)}` },
  );
}

describe('equal shares, in every currency and on every gateway', () => {
  it.each(gateways)(
    'equal shares add up, differ by one step of %s at most, and the larger ones come first (G1, G2, G3)',
    (psp) => {
      const slots = fc.integer({ min: 1, max: 30 });
      const steps = fc.bigInt({ min: 1n, max: 900_000n });
      fc.assert(
        fc.property(fc.constantFrom(...currencies), slots, steps, (currency, count, size) => {
          const unit = allocationUnit(psp, currency);
          const total = size * unit;
          const decision = created(currency.code, total, count, unit);
          if (size < BigInt(count)) return expect(decision.kind).toBe('rejected');
          if (decision.kind !== 'accepted') throw new Error(JSON.stringify(decision));
          const amounts = decision.next.slots.map(({ amountMinor }) => amountMinor);
          expect(amounts).toHaveLength(count);
          expect(amounts.reduce((sum, amount) => sum + amount, 0n)).toBe(total);
          expect(amounts.every((amount) => amount >= unit && amount % unit === 0n)).toBe(true);
          expect((amounts[0] ?? 0n) - (amounts.at(-1) ?? 0n)).toBeLessThanOrEqual(unit);
          expect(amounts).toEqual(amounts.toSorted((a, b) => Number(b - a)));
        }),
        { numRuns: 1_500 },
      );
    },
  );

  it.each(currencies.filter(isGatewayDependent).map(({ code }) => code))(
    'a total of %s that is no multiple of the step of gateway_a is refused in words a merchant understands (G3)',
    (code) => {
      const currency = findCurrency(code)!;
      const unit = allocationUnit('gateway_a', currency);
      const decision = created(code, 10n * unit + 1n, 2, unit);
      const reason = `must be a multiple of ${formatMinor(unit, currency)} ${code}, the smallest step your payment gateway takes`;
      expect(decision).toMatchObject({
        kind: 'rejected',
        code: 'validation_error',
        param: 'total_amount',
        message: `Validation error: total_amount: ${reason}`,
      });
    },
  );

  it('the step of equal shares depends on the gateway for three-decimal currencies and the ariary only', () => {
    const dependent = currencies.filter(isGatewayDependent).map(({ code }) => code);
    const threeDecimal = currencies.filter(({ exponent }) => exponent === 3).map(({ code }) => code);
    expect(dependent.toSorted()).toEqual([...threeDecimal, 'MGA'].toSorted());
    expect(currencies.map((currency) => allocationUnit('gateway_b', currency))).not.toContain(10n);
    expect(currencies.every((currency) => allocationUnit(undefined, currency) === 1n)).toBe(true);
  });
});
