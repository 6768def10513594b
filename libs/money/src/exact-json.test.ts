import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ExactNumber, maxDepth, parseJsonExact, rawNumber, UnstorableJsonError } from './index.ts';

describe('exact JSON', () => {
  it.each(['0.1', '1e2', '-0', '100.000', '9007199254740993', '0.30000000000000004441'])(
    'exact JSON keeps %s as it was written',
    (source) => {
      const parsed = parseJsonExact(`{"amount": ${source}}`) as { amount: ExactNumber };
      expect(parsed.amount).toBeInstanceOf(ExactNumber);
      expect(parsed.amount.source).toBe(source);
      expect(parsed.amount.toNumber()).toBe(Number(source));
      expect(JSON.stringify(parsed)).toBe(`{"amount":${source}}`);
    },
  );

  it('exact JSON leaves everything that is no number alone, digits in text included', () => {
    expect(parseJsonExact('{"a":"1.50","b":[true,null,{"c":""}]}')).toEqual({
      a: '1.50',
      b: [true, null, { c: '' }],
    });
  });

  it('exact JSON means what JSON.parse means, for any JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.parse(JSON.stringify(parseJsonExact(text)))).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  it('exact JSON keeps a __proto__ key as data', () => {
    const parsed = parseJsonExact('{"__proto__":{"isAdmin":true}}') as object;
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(Object.keys(parsed)).toEqual(['__proto__']);
  });

  it.each(['', '{', '01', '1.', 'NaN', '{"a":1,}', "{'a':1}", '[1] x', '\u00a01'])(
    'exact JSON refuses %p',
    (text) => {
      expect(() => parseJsonExact(text)).toThrow(SyntaxError);
    },
  );

  it.each([
    ['brackets without end', '['.repeat(250_000)],
    ['arrays 201 deep', `${'['.repeat(maxDepth + 1)}${']'.repeat(maxDepth + 1)}`],
    ['objects without end', '{"a":'.repeat(50_000)],
    ['an exponent no database holds', '{"a":1e999999}'],
    ['a number of 200 digits', `[${'9'.repeat(200)}]`],
    ['NUL in a text', '["a\\u0000b"]'],
    ['NUL in a key', '{"\\u0000":1}'],
    ['half a surrogate pair', '["\\ud800"]'],
  ])('exact JSON refuses %s', (_title, text) => {
    expect(() => parseJsonExact(text)).toThrow(UnstorableJsonError);
  });

  it('exact JSON does not count brackets inside text', () => {
    const text = JSON.stringify({ a: '[{'.repeat(1000), 'b"[\\': '\\"['.repeat(1000) });
    expect(JSON.stringify(parseJsonExact(text))).toBe(text);
    expect(parseJsonExact(`${'['.repeat(maxDepth)}${']'.repeat(maxDepth)}`)).toEqual(expect.any(Array));
  });
});

describe('a raw number', () => {
  it('a raw number is serialised as it stands', () => {
    expect(JSON.stringify({ total_amount: rawNumber('150.00') })).toBe('{"total_amount":150.00}');
  });

  it.each(['', '"x"', 'null', 'true', '1 ', '01', '{}', 'NaN'])(
    'a raw number is never made of %p',
    (text) => {
      expect(() => rawNumber(text)).toThrow(TypeError);
    },
  );
});
