import { warnOfLocale } from './locale.ts';

it.each([
  [null, 'en'],
  ['nl', 'nl'],
  ['NL-be', 'nl'],
  ['en-GB', 'en-GB'],
  ['en-US', 'en'],
])('a page that wishes the locale %s, whose form is in %s, is not warned', (wished, shown) => {
  expect(warnOfLocale(wished, shown)).toBeUndefined();
});

it.each(['tlh', 'x', '<b>', 'e'])(
  'a page that wishes the unknown locale %s is warned with its name',
  (wished) => {
    expect(warnOfLocale(wished, 'es')).toBe(
      `ServiceGroupPay: the form has no locale "${wished}", so it is shown in "es"`,
    );
  },
);
