import { describe, expect, it } from '@jest/globals';
import { findFirstDay, findMonth, formatMonth, isMonth, listMonths } from './months.ts';

describe('the months of statements', () => {
  it('a picker offers two years, newest first, over the turn of a year', () => {
    const months = listMonths(new Date(2026, 0, 31), '2026-01');
    expect(months).toHaveLength(24);
    expect([months[0], months[1], months.at(-1)]).toEqual(['2026-01', '2025-12', '2024-02']);
  });

  it('a picker also offers a chosen month that is older, or that a test clock has reached', () => {
    expect(listMonths(new Date(2026, 0, 1), '2020-07').at(-1)).toBe('2020-07');
    expect(listMonths(new Date(2026, 0, 1), '2026-03')[0]).toBe('2026-03');
  });

  it('a month is named in the language of the viewer, whatever the time zone', () => {
    expect(formatMonth('2026-01', 'en-GB')).toBe('January 2026');
    expect(formatMonth('2026-12', 'es')).toBe('diciembre de 2026');
    expect([findMonth('2026-01-31'), findFirstDay('2026-01')]).toEqual(['2026-01', '2026-01-01']);
  });

  it.each([
    ['2026-01', true],
    ['2026-12', true],
    ['2026-13', false],
    ['2026-1', false],
    ['1999-01', false],
    ['', false],
    ["2026-01' or", false],
  ])('the text %j in the address is a month: %s', (text, is) => expect(isMonth(text)).toBe(is));
});
