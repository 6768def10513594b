import { describe, expect, it } from '@jest/globals';
import { dayBound, toDateField } from '../../format/instant.ts';
import { toPeriod } from './period.ts';

const today = toDateField(new Date().toISOString());

describe('a period to recover', () => {
  it('is whole days, both chosen ones with it', () => {
    expect(toPeriod('2026-03-01', '2026-03-02')).toEqual({
      since: dayBound('2026-03-01', 'start'),
      until: dayBound('2026-03-02', 'end'),
    });
  });

  it('ends with the chosen day though that lies ahead: a test clock may be further', () => {
    expect(toPeriod(today, today)).toEqual({
      since: dayBound(today, 'start'),
      until: dayBound(today, 'end'),
    });
  });

  it('leaves its end to the API where none was chosen', () => {
    expect(toPeriod(today, '')).toEqual({ since: dayBound(today, 'start') });
  });
});
