import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addMoney, compareBooks, nothing, type PaymentMoney } from './compare-books.ts';

const minor = fc.bigInt({ min: 0n, max: 99_999_999n });
const money = fc.record({ heldMinor: minor, capturedMinor: minor, refundedMinor: minor });
const ours = (expected: PaymentMoney) => ({ expected, currency: 'EUR' });

describe('our postings and a gateway’s books', () => {
  it('our postings and a gateway’s books agree when all three amounts do, and only then', () => {
    fc.assert(
      fc.property(money, money, (expected, actual) => {
        const isSame = (Object.keys(expected) as (keyof PaymentMoney)[]).every(
          (k) => expected[k] === actual[k],
        );
        const found = { answer: 'found', money: actual, currency: 'EUR' } as const;
        expect(compareBooks(ours(expected), found)).toBe(isSame ? 'agrees' : 'differs');
        expect(compareBooks(ours(expected), { ...found, money: expected })).toBe('agrees');
      }),
    );
  });

  it.each(['heldMinor', 'capturedMinor', 'refundedMinor'] as const)(
    'our postings and a gateway’s books differ by one unit of %s',
    (which) => {
      const actual = { ...nothing, [which]: 1n };
      const found = { answer: 'found', money: actual, currency: 'EUR' } as const;
      expect(compareBooks(ours(nothing), found)).toBe('differs');
    },
  );

  it('our postings and a gateway’s books agree about an unknown payment, and differ about money that only we know', () => {
    expect(compareBooks(ours(nothing), { answer: 'absent' })).toBe('agrees');
    expect(compareBooks(ours({ ...nothing, heldMinor: 1n }), { answer: 'absent' })).toBe('differs');
  });

  it('our postings and a gateway’s books never agree about money in another currency (B5)', () => {
    const held = { ...nothing, heldMinor: 1_000n };
    const found = { answer: 'found', money: held, currency: 'USD' } as const;
    expect(compareBooks(ours(held), found)).toBe('differs');
    expect(compareBooks(ours(nothing), found)).toBe('differs');
  });

  it('our postings and a gateway’s books are not judged while the gateway cannot be asked', () => {
    expect(compareBooks(ours(nothing), { answer: 'unanswered' })).toBe('unanswered');
  });
});

it('the sums add up amount by amount', () => {
  fc.assert(
    fc.property(money, money, (a, b) => {
      expect(addMoney(a, b).capturedMinor).toBe(a.capturedMinor + b.capturedMinor);
      expect(addMoney(a, nothing)).toEqual(a);
    }),
  );
});
