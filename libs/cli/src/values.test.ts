import { describe, expect, it } from '@jest/globals';
import { CommandFailure } from './failure.ts';
import {
  alignColumns,
  collectPair,
  collectText,
  formatAmount,
  parseAmount,
  parseCount,
  parseSeconds,
} from './values.ts';

describe('values of a command line', () => {
  it.each([
    ['90', 90],
    ['15m', 900],
    ['1h30m', 5_400],
    ['7d', 604_800],
    ['1d2h3m4s', 93_784],
  ])('the time span %s has %d seconds', (text, seconds) => expect(parseSeconds(text)).toBe(seconds));

  it.each(['', 'x', '1x', '-5', '1h x', '1.5h', 'h', '10 m', '9999999999'])(
    'the text "%s" is no time span',
    (text) => expect(() => parseSeconds(text)).toThrow(CommandFailure),
  );

  it('a count is a whole number within its bounds', () => {
    const parse = parseCount('--slots', 1, 30);
    expect([parse('1'), parse('30')]).toEqual([1, 30]);
    for (const text of ['0', '31', '1.5', '', 'many', '-1', '1e1'])
      expect(() => parse(text)).toThrow('--slots');
  });

  it('an amount is a decimal fraction without exponent or sign', () => {
    expect([parseAmount('90'), parseAmount('31.50')]).toEqual([90, 31.5]);
    for (const text of ['', '-1', '1e3', '1,50', '.5', 'NaN'])
      expect(() => parseAmount(text)).toThrow('amount');
  });

  it('pairs and texts are collected, and a value may have an equals sign', () => {
    expect(collectPair('b=2=3', collectPair('a=1'))).toEqual({ a: '1', b: '2=3' });
    expect(collectText('', collectText('a, b'))).toEqual(['a, b', '']);
    for (const text of ['', 'a', '=1']) expect(() => collectPair(text)).toThrow('name=value');
  });
});

it('amounts are written with the decimals of their currency, and columns are aligned', () => {
  expect([formatAmount(30, 'EUR'), formatAmount(500, 'JPY')]).toEqual(['30.00 EUR', '500 JPY']);
  expect(
    alignColumns([
      ['a', 'bb'],
      ['ccc', 'd'],
    ]),
  ).toBe('a    bb\nccc  d');
});
