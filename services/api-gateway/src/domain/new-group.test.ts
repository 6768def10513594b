import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { publicApi } from '@gp/contracts';
import { currencies, findCurrency, formatMinor, parseJsonExact } from '@gp/money';
import type { Body } from './exact.ts';
import { toPlain } from './exact.ts';
import { readNewGroup } from './new-group.ts';

type Request = publicApi.CreateGroupPaymentRequest;

function parseBody(text: string): Body<Request> {
  const exact = parseJsonExact(text);
  return { exact, plain: toPlain(exact) } as Body<Request>;
}

const request = (total: string, currency: string, distribution: string) =>
  parseBody(
    `{"group_name":"x","expires_at":"2026-01-01T00:00:00+01:00","total_amount":${total},"currency":"${currency}","distribution":${distribution}}`,
  );

const amount = fc.bigInt({ min: 1n, max: 99_999_999n });
const currency = fc.constantFrom(...currencies);
const EUR = findCurrency('EUR')!;

describe('a new group', () => {
  it('custom amounts of any currency arrive as they were written, to the last minor unit', () => {
    fc.assert(
      fc.property(currency, fc.array(amount, { minLength: 1, maxLength: 30 }), (of, minors) => {
        const total = minors.reduce((sum, minor) => sum + minor, 0n);
        const slots = minors.map((minor) => `{"amount":${formatMinor(minor, of)}}`).join();
        const read = readNewGroup(
          request(formatMinor(total, of), of.code, `{"type":"custom","slots":[${slots}]}`),
        );
        expect(read).toMatchObject({
          group: {
            total_minor: String(total),
            distribution: { slots: minors.map((minor) => ({ amount_minor: String(minor), metadata: {} })) },
          },
        });
      }),
    );
  });

  it('a sum that is one minor unit off is refused, in any currency', () => {
    fc.assert(
      fc.property(currency, fc.array(amount, { minLength: 2, maxLength: 30 }), (of, minors) => {
        const total = minors.reduce((sum, minor) => sum + minor, 1n);
        const slots = minors.map((minor) => `{"amount":${formatMinor(minor, of)}}`).join();
        const read = readNewGroup(
          request(formatMinor(total, of), of.code, `{"type":"custom","slots":[${slots}]}`),
        );
        expect(read).toEqual({
          faults: [
            {
              param: 'distribution.slots',
              reason: 'sum of slot amounts must equal total amount',
              hint: `the slots sum to ${formatMinor(total - 1n, of)} ${of.code}, total_amount is ${formatMinor(total, of)} ${of.code}`,
            },
          ],
        });
      }),
    );
  });

  it('a create with labels sends the same as one without, except for the labels (Q71)', () => {
    const label = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(fc.array(fc.tuple(amount, fc.option(label)), { minLength: 1, maxLength: 30 }), (shares) => {
        const total = shares.reduce((sum, [minor]) => sum + minor, 0n);
        const read = (hasLabels: boolean) => {
          const slots = shares.map(([minor, text]) => {
            const named = hasLabels && text !== null ? `,"label":${JSON.stringify(text)}` : '';
            return `{"amount":${formatMinor(minor, EUR)}${named}}`;
          });
          return readNewGroup(
            request(formatMinor(total, EUR), 'EUR', `{"type":"custom","slots":[${slots.join()}]}`),
          );
        };
        const withoutLabels = JSON.parse(
          JSON.stringify(read(true), (key, value: unknown) => (key === 'label' ? undefined : value)),
        ) as unknown;
        expect(withoutLabels).toEqual(read(false));
      }),
    );
  });

  it.each([
    ['0.03', 'EUR', 3, true],
    ['0.02', 'EUR', 3, false],
    ['3', 'JPY', 3, true],
    ['2', 'JPY', 3, false],
    ['0.030', 'KWD', 3, true],
    ['0.029', 'KWD', 3, false],
    ['999999.99', 'EUR', 1, true],
    ['1000000.00', 'EUR', 1, false],
    ['99999.999', 'KWD', 1, true],
    ['100000.000', 'KWD', 1, false],
  ])('a total of %s %s in %i equal shares: %s', (total, code, count, isTaken) => {
    const read = readNewGroup(request(total, code, `{"type":"equally","number_of_slots":${count}}`));
    expect('group' in read).toBe(isTaken);
  });

  it('an instant is passed on in UTC', () => {
    const read = readNewGroup(request('1', 'EUR', '{"type":"equally","number_of_slots":1}'));
    expect(read).toMatchObject({ group: { expires_at: '2025-12-31T23:00:00.000Z' } });
  });

  it('a new group lists every invalid amount, in the order of the slots', () => {
    const slots = '[{"amount":1.001},{"amount":2},{"amount":3.0001}]';
    const read = readNewGroup(request('6.00', 'EUR', `{"type":"custom","slots":${slots}}`));
    expect(read).toEqual({
      faults: [0, 2].map((at) => ({
        param: `distribution.slots[${at}].amount`,
        reason: 'at most 2 decimals for EUR',
      })),
    });
  });
});
