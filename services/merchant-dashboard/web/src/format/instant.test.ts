import { describe, expect, it } from '@jest/globals';
import {
  dayBound,
  formatDay,
  formatDistance,
  formatExactInstant,
  formatInstant,
  formatSpan,
  formatTimeBeside,
  isOverdue,
  toDateField,
} from './instant.ts';

const now = new Date('2026-03-10T12:00:00Z');
const plain = (text: string) => text.replace(/\s/g, ' ');

describe('an instant on a page', () => {
  it('an instant on a page is formatted in the time zone and the language of the viewer', () => {
    const iso = '2026-03-10T23:30:00.000Z';
    expect(plain(formatInstant(iso, 'en-GB', 'Europe/Madrid'))).toBe('11 Mar 2026, 00:30');
    expect(plain(formatInstant(iso, 'en-US', 'America/New_York'))).toBe('Mar 10, 2026, 7:30 PM');
  });

  it('an exact instant has its seconds', () => {
    const iso = '2026-03-10T23:30:09.500Z';
    expect(plain(formatExactInstant(iso, 'en-GB', 'Europe/Madrid'))).toBe('11 Mar 2026, 00:30:09');
  });

  it('a time beside another one has a day only where it is another day for the viewer', () => {
    const at = '2026-03-10T23:30:09.500Z';
    const beside = (iso: string) => plain(formatTimeBeside(at, iso, 'en-GB', 'Europe/Madrid'));
    expect(beside('2026-03-11T12:00:00Z')).toBe('00:30:09');
    expect(beside('2026-03-10T12:00:00Z')).toBe('11 Mar 2026, 00:30:09');
  });

  it.each([
    ['2026-03-10T12:05:10Z', 'in 5 minutes'],
    ['2026-03-10T11:59:59Z', '1 second ago'],
    ['2026-03-10T12:00:00Z', 'now'],
    ['2026-03-08T11:00:00Z', '2 days ago'],
    ['2026-03-10T14:59:00Z', 'in 2 hours'],
  ])('the instant %s is %s', (iso, expected) => expect(formatDistance(iso, now, 'en')).toBe(expected));
});

it.each([
  [0, '0 s'],
  [59, '59 s'],
  [3_600, '1 h'],
  [5_400, '1 h 30 min'],
  [90_061, '1 d 1 h'],
])('a span of %s seconds is shown as %s', (seconds, expected) => expect(formatSpan(seconds)).toBe(expected));

describe('a day', () => {
  it('a day of a chart is that day for every viewer', () => {
    expect(formatDay('2026-03-01', 'en-GB')).toBe('1 Mar');
  });

  it('a day of a filter has all instants of the viewer’s calendar day, and is found again in the address', () => {
    const start = dayBound('2026-03-10', 'start');
    const end = dayBound('2026-03-10', 'end');
    expect([toDateField(start!), toDateField(end!)]).toEqual(['2026-03-10', '2026-03-10']);
    expect(new Date(end!).getTime() - new Date(start!).getTime()).toBe(86_400_000 - 1);
  });

  it.each(['', 'tomorrow', '2026-03'])('the day %j bounds nothing', (day) => {
    expect(dayBound(day, 'start')).toBeUndefined();
  });

  it.each([null, 'junk'])('the day of %j is empty', (iso) => expect(toDateField(iso)).toBe(''));
});

it('an attempt that is due counts as late only after ten seconds', () => {
  expect(isOverdue('2026-03-10T12:00:05Z', now)).toBe(false);
  expect(isOverdue('2026-03-10T11:59:50Z', now)).toBe(false);
  expect(isOverdue('2026-03-10T11:59:49Z', now)).toBe(true);
});
