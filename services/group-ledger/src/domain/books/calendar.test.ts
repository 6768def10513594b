import { describe, expect, it } from '@jest/globals';
import { parsePeriod } from './calendar.ts';

const now = Date.parse('2026-02-28T23:30:00Z');
const parse = (from: string, to = from, time_zone = 'UTC') => parsePeriod({ from, to, time_zone }, now);
const bounds = (day: string, timeZone: string) =>
  parse(day, day, timeZone).boundsMs.map((ms) => new Date(ms).toISOString().replace(':00.000Z', 'Z'));

describe('the days of a statement', () => {
  it('a period has its first and its last day, and begins and ends at midnight (Q48)', () => {
    expect(parse('2026-02-27', '2026-03-01')).toEqual({
      timeZone: 'UTC',
      days: ['2026-02-27', '2026-02-28', '2026-03-01'],
      boundsMs: [27, 28, 29, 30].map((day) => Date.UTC(2026, 1, day)),
    });
  });

  it.each([
    [{}, '2026-02-01', '2026-02-28'],
    [{ time_zone: 'Europe/Madrid' }, '2026-03-01', '2026-03-31'],
    [{ from: '2024-02-10' }, '2024-02-10', '2024-02-29'],
    [{ to: '2026-12-24' }, '2026-12-01', '2026-12-24'],
  ])(
    'the period %j is from %s to %s: what is left out is an end of the month (Q47)',
    (period, first, last) => {
      const { days } = parsePeriod(period, now);
      expect([days[0], days.at(-1)]).toEqual([first, last]);
    },
  );

  it.each([
    ['2026-01-31', 'Europe/Madrid', '2026-01-30T23:00Z', '2026-01-31T23:00Z'],
    ['2026-03-29', 'Europe/Madrid', '2026-03-28T23:00Z', '2026-03-29T22:00Z'],
    ['2026-10-25', 'Europe/Madrid', '2026-10-24T22:00Z', '2026-10-25T23:00Z'],
    ['2026-01-01', 'Asia/Kathmandu', '2025-12-31T18:15Z', '2026-01-01T18:15Z'],
    ['2026-01-01', 'Pacific/Kiritimati', '2025-12-31T10:00Z', '2026-01-01T10:00Z'],
    ['2026-01-01', 'Etc/GMT+12', '2026-01-01T12:00Z', '2026-01-02T12:00Z'],
    // Clocks are put forward at midnight, so that the day begins at 01:00.
    ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00Z', '2026-03-29T21:00Z'],
    // Clocks are put back at midnight, so that the hour before it comes twice.
    ['2018-02-17', 'America/Sao_Paulo', '2018-02-17T02:00Z', '2018-02-18T03:00Z'],
    // Clocks are set by half an hour.
    ['2026-04-05', 'Australia/Lord_Howe', '2026-04-04T13:00Z', '2026-04-05T13:30Z'],
  ])('%s in %s is from %s to %s (Q48)', (day, timeZone, begins, ends) => {
    expect(bounds(day, timeZone)).toEqual([begins, ends]);
  });

  it('a day that a place left out is empty (Q48)', () => {
    const { days, boundsMs } = parse('2011-12-29', '2011-12-31', 'Pacific/Apia');
    expect(days).toHaveLength(3);
    expect(boundsMs[1]).toBe(boundsMs[2]);
  });

  it.each([
    ['from', '2026-02-30', '2026-03-01', 'UTC'],
    ['from', '26-02-01', '2026-03-01', 'UTC'],
    ['from', '1999-12-31', '2026-03-01', 'UTC'],
    ['to', '2026-01-01', '3000-01-01', 'UTC'],
    ['to', '2026-01-01', 'today', 'UTC'],
    ['to', '2026-01-02', '2026-01-01', 'UTC'],
    ['to', '2026-01-01', '2026-04-03', 'UTC'],
    ['time_zone', '2026-01-01', '2026-01-02', 'Europe/Nowhere'],
    ['time_zone', '2026-01-01', '2026-01-02', '+05:37'],
    ['time_zone', '2026-01-01', '2026-01-02', ''],
    ['time_zone', '2026-01-01', '2026-01-02', 'UTC\u0000'],
  ])('a wrong %s in the period %s to %s of %j is a mistake of the request (Q48)', (param, from, to, zone) => {
    expect(() => parse(from, to, zone)).toThrow(
      expect.objectContaining({ code: 'validation_error', data: expect.objectContaining({ param }) }),
    );
  });

  it('the longest period has 92 days, so that every quarter fits', () => {
    expect(parse('2026-01-01', '2026-04-02').days).toHaveLength(92);
    expect(parse('2026-07-01', '2026-09-30').days).toHaveLength(92);
  });
});
