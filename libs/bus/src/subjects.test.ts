import { describe, expect, it } from '@jest/globals';
import { coverSubjects, matchesAny, matchesSubject } from './subjects.ts';

describe('a pattern of subjects', () => {
  it.each([
    ['a.b', 'a.b', true],
    ['a.b', 'a.c', false],
    ['a.*', 'a.b', true],
    ['a.*', 'a.b.c', false],
    ['a.*', 'a', false],
    ['a.>', 'a.b.c', true],
    ['a.>', 'a', false],
    ['>', 'a', true],
  ])('the pattern %s matches %s: %s', (pattern, subject, expected) => {
    expect(matchesSubject(pattern, subject)).toBe(expected);
  });

  it('a subject matches when one of several patterns matches it', () => {
    expect(matchesAny(['a.b', 'a.c.*'], 'a.c.d')).toBe(true);
    expect(matchesAny([], 'a')).toBe(false);
  });
});

describe('the one filter of a consumer', () => {
  it('one filter covers all of a consumer with a wildcard where they differ', () => {
    expect(coverSubjects(['evt.a.b.*.v1.*', 'evt.a.c.*.v1.*'])).toBe('evt.a.*.*.v1.*');
    expect(coverSubjects(['cmd.a.b.c.v1'])).toBe('cmd.a.b.c.v1');
  });

  it('no one filter exists for filters of different lengths', () => {
    expect(() => coverSubjects(['a.b', 'a.b.c'])).toThrow('no one filter covers a.b, a.b.c');
  });
});
