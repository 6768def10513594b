import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJsonExact } from '@gp/money';
import { canonicalJson } from './canonical-json.ts';

const canonical = (text: string) => canonicalJson(parseJsonExact(text));

describe('canonical JSON', () => {
  it.each([
    ['{"a":1,"b":2}', ' { "b" : 2.0 , "a" : 1e0 } '],
    ['100', '1E2'],
    ['0.1', '100e-3'],
    ['0', '-0.000'],
    ['-12.5', '-1250e-2'],
    ['"A"', '"\\u0041"'],
    ['[{"x":[]}]', '[ { "x" : [ ] } ]'],
  ])('the texts %s and %s are one canonical JSON', (a, b) => expect(canonical(a)).toBe(canonical(b)));

  it.each([
    ['90071992547409.93', '90071992547409.931'],
    ['1', '"1"'],
    ['[1,2]', '[2,1]'],
    ['{"a":null}', '{}'],
    ['{"a":{"b":1}}', '{"a.b":1}'],
    ['1', '-1'],
    ['10', '1'],
    ['"\\u00e9"', '"e\\u0301"'],
    ['{"__proto__":1}', '{}'],
  ])('the texts %s and %s are two canonical JSONs', (a, b) => expect(canonical(a)).not.toBe(canonical(b)));

  it('canonical JSON is the same for every order of keys, and different for different values', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (fields, other) => {
        const [one, two] = [JSON.stringify(fields), JSON.stringify(other)];
        const shuffled = JSON.stringify(Object.fromEntries(Object.entries(fields).reverse()));
        expect(canonical(shuffled)).toBe(canonical(one));
        const isSame = isDeepStrictEqual(JSON.parse(one), JSON.parse(two));
        expect(canonical(one) === canonical(two)).toBe(isSame);
      }),
    );
  });
});
