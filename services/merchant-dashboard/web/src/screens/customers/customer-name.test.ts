import { expect, it } from '@jest/globals';
import { formatName, formatTitle } from './customer-name.ts';

it.each([
  ['ana@example.com', 'Ana Lima', 'Ana Lima', 'Ana Lima'],
  ['ana@example.com', null, 'no name', 'ana@example.com'],
  ['0198c0de-0000-7000-8000-0000000000f1@erased.invalid', null, 'erased', 'Erased customer'],
])('%s called %s is "%s" in a list and "%s" above the page (Q65)', (email, name, shown, title) => {
  expect([formatName({ email, name }), formatTitle({ email, name })]).toEqual([shown, title]);
});
