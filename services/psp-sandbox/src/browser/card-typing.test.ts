import { describe, expect, it } from '@jest/globals';
import {
  cvcFault,
  expiryFault,
  parseExpiry,
  groupedNumber,
  numberFault,
  shapedExpiry,
} from './card-typing.ts';

describe('a card number', () => {
  it.each([
    ['4242424242424242', '4242 4242 4242 4242'],
    ['378282246310005', '3782 822463 10005'],
    ['37828', '3782 8'],
    ['4242-4242 42x', '4242 4242 42'],
    ['42424242424242424242424', '4242 4242 4242 4242 424'],
    ['', ''],
  ])('the typed number %p is shown as %p', (typed, shown) => expect(groupedNumber(typed)).toBe(shown));

  it.each([
    ['', 'incomplete_number'],
    ['4242 4242 4242', 'incomplete_number'],
    ['4242 4242 4242 424', 'incomplete_number'],
    ['4242 4242 4242 4241', 'invalid_number'],
    ['3782 822463 10006', 'invalid_number'],
    ['4242 4242 4242 4242', null],
    ['3782 822463 10005', null],
    ['6304 0000 0000 0', null],
  ])('the number %p is judged %p', (typed, fault) => expect(numberFault(typed)).toBe(fault));
});

describe('an expiry date', () => {
  it.each([
    ['1', '1'],
    ['12', '12 / '],
    ['3', '03 / '],
    ['1/', '01 / '],
    ['12 / 3', '12 / 3'],
    ['12 / 34', '12 / 34'],
    ['12/2034', '12 / 34'],
    ['122034', '12 / 34'],
    ['2034-12', '12 / 34'],
    ['12 / 20', '12 / 20'],
    ['12 / 345', '12 / 34'],
    ['x', ''],
  ])('an expiry date typed as %p is shown as %p', (typed, shown) =>
    expect(shapedExpiry(typed, false)).toBe(shown),
  );

  it('an expiry date can be deleted past its slash', () => {
    expect(shapedExpiry('12 /', true)).toBe('12');
    expect(shapedExpiry('12 / ', true)).toBe('12');
    expect(shapedExpiry('1', true)).toBe('1');
  });

  it('an expiry date is good until the end of its month', () => {
    const now = new Date('2026-11-30T23:59:59Z');
    expect(expiryFault('11 / 26', now)).toBeNull();
    expect(expiryFault('10 / 26', now)).toBe('invalid_expiry_month_past');
    expect(expiryFault('13 / 27', now)).toBe('incomplete_expiry');
    expect(expiryFault('00 / 27', now)).toBe('incomplete_expiry');
    expect(expiryFault('12 / ', now)).toBe('incomplete_expiry');
    expect(parseExpiry('12 / 34')).toEqual({ month: 12, year: 2034 });
  });
});

it('a security code has four digits on American Express and three elsewhere', () => {
  expect(cvcFault('123', '4242')).toBeNull();
  expect(cvcFault('12', '4242')).toBe('incomplete_cvc');
  expect(cvcFault('123', '3782')).toBe('incomplete_cvc');
  expect(cvcFault('1234', '3782')).toBeNull();
});
