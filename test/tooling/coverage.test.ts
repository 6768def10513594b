import { describe, expect, it } from '@jest/globals';
import { EVENT_TYPES, GROUP_STATES, publicApi, SLOT_STATES } from '@gp/contracts';
import { staleFiles } from '@gp/testing';
import { findFile, listProofs, readCoverage, renderCoverage } from './coverage-map.ts';
import { describeGenerated } from './generated.ts';

const coverage = await readCoverage();
const table = await renderCoverage(coverage);

/** Whether the map contains this word, and not only a longer one. */
const isNamed = (word: string): boolean =>
  new RegExp(`(?<![\\w./])${word.replaceAll(/[.{}]/g, '\\$&')}(?![\\w./])`).test(table.replaceAll('\\', ''));

describe('test/coverage.md', () => {
  it('test/coverage.md is what the titles of the tests say; otherwise run `npm run generate`', async () => {
    expect(await staleFiles(await describeGenerated())).toEqual([]);
  });

  it('test/coverage.md names a test for every case of docs/cases.md', () => {
    const proven = new Set(listProofs(coverage).map(({ code }) => code));
    expect(coverage.codes.filter((code) => !proven.has(code))).toEqual([]);
    expect(coverage.codes.length).toBeGreaterThan(100);
  });

  it('test/coverage.md has every part of the specification', () => {
    const parts = coverage.guarantees.sections.flatMap(
      ({ heading }) => /^### (\d) /.exec(heading)?.[1] ?? [],
    );
    expect(parts.map(Number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('test/coverage.md names every operation, event, state, status and header of the interface', () => {
    const operations = Object.values(publicApi.operations).map(({ method, path }) => `${method} ${path}`);
    const statuses = ['400', '401', '404', '409', '422', '500', '502'];
    const headers = ['Idempotency-Key', 'Service-Signature', 'Service-Event-Id', 'Service-Event-Type'];
    const words = [...operations, ...EVENT_TYPES, ...GROUP_STATES, ...SLOT_STATES, ...statuses, ...headers];
    expect(words.filter((word) => !isNamed(word))).toEqual([]);
  });
});

describe('a guarantee', () => {
  const sources = ['a', 'b'].map((name) => {
    const words = `it('refunds everything'); it('a refund is only in ${name}');`;
    return { file: `test/${name}.test.ts`, text: words, words };
  });

  it('a guarantee is proven by the one file in which its title stands', () => {
    expect(findFile(sources, { test: 'a refund is only in b' })).toBe('test/b.test.ts');
    expect(findFile(sources, { test: 'refunds everything', in: '/a.' })).toBe('test/a.test.ts');
  });

  it('a guarantee is refused when its title stands in no file, or in several', () => {
    expect(() => findFile(sources, { test: 'is gone' })).toThrow('stands in 0 test files');
    expect(() => findFile(sources, { test: 'refunds everything' })).toThrow('stands in 2 test files');
  });
});
