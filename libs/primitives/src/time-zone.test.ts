import { expect, it } from '@jest/globals';
import { findTimeZone } from './time-zone.ts';

it.each([
  ['Europe/Madrid', 'Europe/Madrid'],
  ['europe/madrid', 'Europe/Madrid'],
  ['America/Argentina/Buenos_Aires', 'America/Buenos_Aires'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['UTC', 'UTC'],
])('the time zone %s is known as %s (Q105)', (name, known) => {
  expect(findTimeZone(name)).toBe(known);
});

it.each([
  'Europe/Nowhere',
  'Etc/Unknown',
  '',
  '+05:30',
  'Europe/Madrid ',
  'Europe/Madrid\n',
  'UTC\u0000',
  '__proto__',
  'Europe/Madrid\u202e',
  `Europe/${'a'.repeat(58)}`,
])('%j is no time zone (Q105)', (name) => {
  expect(findTimeZone(name)).toBeUndefined();
});
