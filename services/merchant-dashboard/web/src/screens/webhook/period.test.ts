import { describe, expect, it } from '@jest/globals';
import { dayBound, toDateField } from '../../format/instant.ts';
import { toPeriod } from './period.ts';

const today = toDateField(new Date().toISOString());

describe('a period to recover', () => {
  it('a period to recover has whole days, both chosen ones included', () => {
    expect(toPeriod('2026-03-01', '2026-03-02')).toEqual({
      since: dayBound('2026-03-01', 'start'),
      until: dayBound('2026-03-02', 'end'),
    });
  });

  it('a period to recover ends with the chosen day even in the future: a test clock may be further', () => {
    expect(toPeriod(today, today)).toEqual({
      since: dayBound(today, 'start'),
      until: dayBound(today, 'end'),
    });
  });

  it('a period to recover without a chosen end leaves the end to the API', () => {
    expect(toPeriod(today, '')).toEqual({ since: dayBound(today, 'start') });
  });
});
