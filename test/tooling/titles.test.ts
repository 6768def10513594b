import { describe, expect, it } from '@jest/globals';
import { listProjectFiles, readProjectFile } from './project-files.ts';
import { listFragments } from './titles.ts';

/** Test files, and what suites of several test files share. */
const hasTests = (file: string): boolean =>
  /\.test\.tsx?$/.test(file) || (/^test\/.*\.ts$/.test(file) && !file.startsWith('test/tooling/'));

// The planted titles are put together here, so that this file has none of them.
const test = (title: string, of = 'it'): string => `${of}('${title}', () => undefined);`;
const table = (title: string, of = 'it'): string => `${of}.each(['a', 'b'])('${title}', () => undefined);`;

describe('the check of titles', () => {
  it.each([
    'is taken by one payer',
    'cannot be taken',
    'keeps its slots',
    'of the whole group is sent once',
    'that was lost comes again',
    '404 for an unknown path',
    'B7 a hold that arrives late is voided',
  ])('the title "%s" is refused, in a test and in a table', (title) => {
    expect(listFragments(test(title))).toEqual([title]);
    expect(listFragments(table(title))).toEqual([title]);
  });

  it.each([
    'a slot that one payer has reserved gives another payer a 409 (A1)',
    'holds are released when time runs out',
    '50 payers want one slot',
    '%s gets every setting that it requires',
  ])('the title "%s" is accepted', (title) => {
    expect(listFragments(test(title))).toEqual([]);
  });

  it('the name of a table of blocks is no title', () => {
    expect(listFragments(table('is lent', 'describe'))).toEqual([]);
  });
});

it('every title of a test is a sentence that reads alone', async () => {
  const files = (await listProjectFiles()).filter(hasTests);
  expect(files.length).toBeGreaterThan(300);
  const found = await Promise.all(
    files.map(async (file) => listFragments(await readProjectFile(file)).map((title) => `${file}: ${title}`)),
  );
  expect(found.flat()).toEqual([]);
});
