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
  ])('a repeated name is found in %s (X3)', (text) => {
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
  ])('a repeated name is not found in %s (X3)', (text) => expect(hasRepeatedName(text)).toBe(false));

  it('a repeated name is never found in the output of a serialiser (X3)', () =>
    fc.assert(fc.property(fc.jsonValue(), (value) => !hasRepeatedName(JSON.stringify(value)))));

  it('a repeated name is searched within milliseconds in the largest body (X3)', () => {
    const startedAt = performance.now();
    for (const text of [`"${'\\\\'.repeat(128_000)}"`, `{"a":"${'x'.repeat(256_000)}"}`, '['.repeat(256_000)])
      expect(hasRepeatedName(text)).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
