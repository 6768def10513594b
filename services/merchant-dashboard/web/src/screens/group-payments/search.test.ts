import { expect, it } from '@jest/globals';
import { parseSearch } from './search.ts';

const id = '0198c0de-0000-7000-8000-000000000001';

it.each([id, id.toUpperCase(), `  ${id}\n`, `https://api.example/v1/group-payments/${id}`])(
  'the text %j is looked up as an id',
  (text) => expect(parseSearch(text)).toEqual({ kind: 'id', id }),
);

it.each(['GP-2026-000123', ' GP-2026-000123 '])('the text %j is looked up as an order number', (text) => {
  expect(parseSearch(text)).toEqual({ kind: 'order', order: 'GP-2026-000123' });
});
