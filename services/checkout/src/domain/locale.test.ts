import { expect, it } from '@jest/globals';
import { addRegion, chooseLocale } from './locale.ts';

const known = ['en', 'es', 'ca', 'pt'] as const;

it.each([
  ['ca;q=0.8, es;q=0.9, en', 'en'],
  ['ca;q=0.8, es;q=0.9', 'es'],
  ['pt-BR', 'pt'],
  ['ja, zz;q=0.9, ES-mx;q=0.1', 'es'],
  ['es;q=0, ca;q=0.001', 'ca'],
  ['', 'en'],
  ['*', 'en'],
  [';;;q=q=,,,', 'en'],
  [`${'x,'.repeat(5_000)}es`, 'en'],
  ['es;q=9, ca;q=0.5', 'es'],
])('a request for %s gets the language %s', (acceptLanguage, locale) => {
  expect(chooseLocale(known, { acceptLanguage })).toBe(locale);
});

it('a requested language is used, and an unknown one changes nothing', () => {
  expect(chooseLocale(known, { asked: 'ca', acceptLanguage: 'es' })).toBe('ca');
  expect(chooseLocale(known, { asked: '__proto__', acceptLanguage: 'es' })).toBe('es');
});

it.each([
  ['en', 'en-GB,en;q=0.9', 'en-GB'],
  ['en', 'en,es-ES;q=0.9', 'en-ES'],
  ['de', 'en-US,de-at;q=0.5', 'de-AT'],
  ['de', 'en-US', 'de'],
  ['pt', 'pt-Latn-BR', 'pt-BR'],
  ['en', '', 'en'],
  ['en', 'en-toolongtobearegion, -, x-', 'en'],
])('texts in %s for a browser that asks for %s are written as in %s', (language, accepted, written) => {
  expect(addRegion(language, accepted)).toBe(written);
  expect(() => new Intl.DateTimeFormat(written)).not.toThrow();
});
