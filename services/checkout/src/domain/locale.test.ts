import { expect, it } from '@jest/globals';
import { addRegion, chooseLocale } from './locale.ts';

const known = ['en', 'es', 'ca', 'pt', 'ar', 'en-GB'] as const;

it.each([
  ['ca;q=0.8, es;q=0.9, en', 'en'],
  ['ca;q=0.8, es;q=0.9', 'es'],
  ['pt-BR', 'pt'],
  ['en-US,en;q=0.9', 'en'],
  ['en-GB,en;q=0.9', 'en-GB'],
  ['en-AU', 'en-GB'],
  ['en-ie,ga;q=0.5', 'en-GB'],
  ['ar-EG', 'ar'],
  ['zh-Hans-CN,zh;q=0.9', 'en'],
  ['zh-CN,es;q=0.5', 'es'],
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
  expect(chooseLocale(known, { asked: 'en-GB', acceptLanguage: 'es' })).toBe('en-GB');
  expect(chooseLocale(known, { asked: '__proto__', acceptLanguage: 'es' })).toBe('es');
});

it.each([
  ['en-GB', 'en-GB,en;q=0.9', 'en-GB'],
  ['en-GB', 'en-AU', 'en-AU'],
  ['en-GB', 'es-ES', 'en-GB'],
  ['en', 'en,es-ES;q=0.9', 'en-ES'],
  ['de', 'en-US,de-at;q=0.5', 'de-AT'],
  ['de', 'en-US', 'de'],
  ['pt', 'pt-Latn-BR', 'pt-BR'],
  ['en', '', 'en'],
  ['en', 'en-toolongtobearegion, -, x-', 'en'],
])('texts in %s for a browser that asks for %s are written as in %s', (language, accepted, written) => {
  expect(addRegion(language, { acceptLanguage: accepted })).toBe(written);
  expect(() => new Intl.DateTimeFormat(written)).not.toThrow();
});

it('amounts and dates have the region that was asked for, whatever the browser prefers', () => {
  expect(addRegion('pt', { asked: 'pt-BR', acceptLanguage: 'pt-PT' })).toBe('pt-BR');
  expect(addRegion('en-GB', { asked: 'en-GB', acceptLanguage: 'en-US' })).toBe('en-GB');
});

it.each([
  ['ar', undefined],
  ['ar', 'ar-EG'],
  ['ar', 'ar-MA'],
])('amounts in %s for a browser that prefers %s have the digits of cards', (locale, acceptLanguage) => {
  const written = addRegion(locale, { acceptLanguage });
  // Browsers differ in which digits they take for Arabic, so the tag says it even where the server needs no word.
  expect(written).toBe(`${acceptLanguage ?? locale}-u-nu-latn`);
  expect(new Intl.NumberFormat(written).format(1_234_567)).toMatch(/^[\d.,]+$/);
});
