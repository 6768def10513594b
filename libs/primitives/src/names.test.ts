import { describe, expect, it } from '@jest/globals';
import { NAME_PATTERN, OPTIONAL_PAYER_NAME_PATTERN, PAYER_NAME_PATTERN } from './names.ts';

const name = new RegExp(NAME_PATTERN, 'u');
const payerName = new RegExp(PAYER_NAME_PATTERN, 'u');

describe('a name (X4)', () => {
  it.each([
    'Dinner at Casa Lola',
    'Κυριακή',
    '焼肉パーティー🍖',
    'نرگس‌سادات',
    '👨‍👩‍👧',
    'O’Neill-Smith, Jr.',
    'x',
  ])('a name may be %p (X4)', (text) => {
    expect(name.test(text)).toBe(true);
    expect(payerName.test(text)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['spaces', ' \u00A0\u3000'],
    ['joiners and fillers', '\u200D\u3164\u2800'],
    ['a right-to-left override', 'a\u202Eb'],
    ['a direction isolate', 'a\u2066b'],
    ['a zero-width space', 'a\u200Bb'],
    ['a byte order mark', '\uFEFFa'],
    ['a line end', 'a\r\nb'],
    ['a NUL', 'a\u0000'],
    ['a C1 control', 'a\u0085b'],
    ['a line separator', 'a\u2028b'],
  ])('a name cannot be or have %s (X4)', (_what, text) => {
    expect(name.test(text)).toBe(false);
    expect(payerName.test(text)).toBe(false);
  });
});

describe('a name that a payer types (X1)', () => {
  it.each([
    '4242424242424242',
    'Ada 4242 4242 4242 4242',
    'Ada 4242-4242-4242-4242 Lovelace',
    '4242.4242.4242.4242',
    '３７８２８２２４６３１０００５',
    '4222222222222',
  ])('a payer’s name cannot have the digits of a card number: %p (X1)', (text) =>
    expect(payerName.test(text)).toBe(false),
  );

  it('a payer’s name may have a few digits (X1)', () => {
    for (const text of ['Henry 8', 'Table 12, seat 3', 'ACME 2026-11-23'])
      expect(payerName.test(text)).toBe(true);
  });

  it('a payer’s name may be empty where it is optional, and not blank (X1)', () => {
    const optional = new RegExp(OPTIONAL_PAYER_NAME_PATTERN, 'u');
    expect([optional.test(''), optional.test('Ana'), optional.test('  ')]).toEqual([true, true, false]);
  });
});
