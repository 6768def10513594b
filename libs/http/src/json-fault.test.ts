import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findJsonFault } from './json-fault.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('where a text stops being JSON', () => {
  it.each([
    ['', 1, 1],
    ['{', 1, 2],
    ['{"a":1,}', 1, 8],
    ['{"a" 1}', 1, 6],
    ['{"a":1 "b":2}', 1, 8],
    ["{'a':1}", 1, 2],
    ['[1,]', 1, 4],
    ['[1}', 1, 3],
    ['{"a":[1}', 1, 8],
    ['[1] x', 1, 5],
    ['{\n  "a": 1,\n  b: 2\n}', 3, 3],
    ['{\r\n"a":\r\n01}', 3, 2],
    ['{"a":"x\n"}', 1, 6],
    ['["\\x"]', 1, 2],
    ['{"a":1}}', 1, 8],
    [']', 1, 1],
    ['NaN', 1, 1],
    ['[1 2]', 1, 4],
    [',', 1, 1],
  ])('%j stops being JSON in line %d, column %d', (text, line, column) => {
    expect(isJson(text)).toBe(false);
    expect(findJsonFault(text)).toEqual({ line, column });
  });

  it('a fault is found exactly in texts that are not JSON', () => {
    const piece = fc.constantFrom(...'{}[],:"\\ 0129-.eE+tfn\n'.split(''), 'true', 'null', '"a"', 'false');
    const broken = fc.tuple(fc.json(), fc.nat(), fc.nat(3), piece).map(([text, at, cut, put]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place + cut);
    });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          broken,
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (text) => {
          expect(findJsonFault(text) === undefined).toBe(isJson(text));
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('a fault is found within milliseconds in the largest body', () => {
    const startedAt = performance.now();
    for (const text of [`"${'\\\\'.repeat(128_000)}`, `{"a":"${'x'.repeat(256_000)}`, '['.repeat(256_000)])
      expect(findJsonFault(text)).toBeDefined();
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
