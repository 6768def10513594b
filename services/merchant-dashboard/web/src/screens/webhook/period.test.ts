import { describe, expect, it } from '@jest/globals';
import { dayBound, dayOf } from '../../format/instant.ts';
import { periodOf } from './period.ts';

const today = dayOf(new Date().toISOString());

describe('a period to recover', () => {
  it('is whole days, both chosen ones with it', () => {
    expect(periodOf('2026-03-01', '2026-03-02')).toEqual({
      since: dayBound('2026-03-01', 'start'),
      until: dayBound('2026-03-02', 'end'),
    });
  });

  it('ends with the chosen day though that lies ahead: a test clock may be further', () => {
    expect(periodOf(today, today)).toEqual({
      since: dayBound(today, 'start'),
      until: dayBound(today, 'end'),
    });
  });

  it('leaves its end to the API where none was chosen', () => {
    expect(periodOf(today, '')).toEqual({ since: dayBound(today, 'start') });
  });
});
