import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { splitTokens } from './json-tokens.ts';

it('JSON tokens distinguish names from texts, numbers and words', () => {
  const tokens = splitTokens('{"a": "b: \\"1\\"", "n": -1.5e3, "t": true}').filter(
    ({ kind }) => kind !== 'sign',
  );
  expect(tokens.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'name "a"',
    'text "b: \\"1\\""',
    'name "n"',
    'number -1.5e3',
    'name "t"',
    'word true',
  ]);
});

it('JSON tokens lose and invent nothing, whatever the value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const json = JSON.stringify(value, null, 2);
      expect(
        splitTokens(json)
          .map(({ text }) => text)
          .join(''),
      ).toBe(json);
    }),
  );
});
