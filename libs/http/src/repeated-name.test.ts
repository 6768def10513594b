import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hasRepeatedName } from './repeated-name.ts';

describe('a name that an object has twice (X3)', () => {
  it.each([
    '{"a":1,"a":2}',
    '{"a":{"b":[{"c":1,"c":1}]}}',
    '[{"x":1},{"a":[],"b":{},"a":null}]',
    '{"amount":1,"\\u0061mount":2}',
    '{"a\\"b":1,"a\\"b":2}',
    '{"__proto__":1,"__proto__":2}',
    '{ "a" : "a" , "a" : 1 }',
  ])('is found in %s', (text) => {
    JSON.parse(text);
    expect(hasRepeatedName(text)).toBe(true);
  });

  it.each([
    '{"a":"a","b":["a","a"],"c":{"a":1}}',
    '[{"a":1},{"a":1}]',
    '["a","a"]',
    '"a"',
    '{"a":"{\\"a\\":1,\\"a\\":2}"}',
    '{"a":",","b":"}","c":"[","d":"\\\\"}',
    '{}',
    '12',
  ])('is not found in %s', (text) => expect(hasRepeatedName(text)).toBe(false));

  it('is never found in what a serialiser writes', () =>
    fc.assert(fc.property(fc.jsonValue(), (value) => !hasRepeatedName(JSON.stringify(value)))));

  it('is looked for within milliseconds in the largest body', () => {
    const startedAt = performance.now();
    for (const text of [`"${'\\\\'.repeat(128_000)}"`, `{"a":"${'x'.repeat(256_000)}"}`, '['.repeat(256_000)])
      expect(hasRepeatedName(text)).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
