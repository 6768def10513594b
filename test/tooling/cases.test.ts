import { describe, expect, it } from '@jest/globals';
import { listProjectFiles, readProjectFile } from './project-files.ts';

const CASES = 'docs/cases.md';
/** Letters of the series that docs/cases.md defines. */
const LETTERS = 'A-HKLNQRSX';
const CODE = new RegExp(`(?<![\\w%#.-])[${LETTERS}][1-9]\\d?(?![\\w-])`, 'g');
/** A range with a hyphen, or without the letter of its end. */
const MISSPELT_RANGE = new RegExp(`(?<![\\w%#])([${LETTERS}][1-9]\\d?)(-\\1?[A-Z]?\\d|–\\d)`, 'g');
/** Text that is not searched: locked packages, and drawings whose paths look like codes. */
const UNREAD = /(^package-lock\.json|\.(svg|png|ico|woff2))$/;

const isDefinition = new RegExp(`^- \\*\\*([${LETTERS}]\\d+)\\*\\* (.+)$`, 'gm');
const defined = [...(await readProjectFile(CASES)).matchAll(isDefinition)].map(
  ([, code = '', text = '']) => ({
    code,
    text,
  }),
);
const known = new Set(defined.map(({ code }) => code));
const files = (await listProjectFiles()).filter((file) => !UNREAD.test(file));
const texts = await Promise.all(files.map(async (file) => ({ file, text: await readProjectFile(file) })));

/** Every match of a pattern in the project's files, with its file. */
const findAll = (pattern: RegExp): readonly { readonly file: string; readonly match: string }[] =>
  texts.flatMap(({ file, text }) => (text.match(pattern) ?? []).map((match) => ({ file, match })));

describe('docs/cases.md', () => {
  it('docs/cases.md defines each code once and each series from 1 without a gap', () => {
    const series = Map.groupBy(defined, ({ code }) => code.charAt(0));
    for (const [letter, cases] of series)
      expect(cases.map(({ code }) => code)).toEqual(cases.map((_, index) => `${letter}${index + 1}`));
    expect(series.size).toBeGreaterThan(8);
  });

  it('docs/cases.md has one sentence for each code', () => {
    expect(defined.filter(({ text }) => !/^[^.].*\.$/.test(text) || / [a-z]\w+\. [A-Z]/.test(text))).toEqual(
      [],
    );
  });
});

describe('a code of a case', () => {
  it('a code of a case resolves to a line of docs/cases.md wherever a file cites it', () => {
    const cited = findAll(CODE);
    expect(cited.length).toBeGreaterThan(300);
    expect(cited.filter(({ match }) => !known.has(match))).toEqual([]);
  });

  it('a range of codes has both ends written in full, with an en dash between them', () => {
    expect(findAll(MISSPELT_RANGE)).toEqual([]);
  });
});
