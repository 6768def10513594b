import { format, resolveConfig } from 'prettier';
import { listProjectFiles, project, readProjectFile } from './project-files.ts';

/** A guarantee of the interface and the test that proves it, by words of its title. */
type Guarantee = {
  readonly what: string;
  readonly test: string;
  /** Part of the file's path, where the words stand in several files. */
  readonly in?: string;
};
type Section = { readonly heading: string; readonly guarantees: readonly Guarantee[] };

/** `test/guarantees.json`: the parts of the interface, and tests of a case whose titles do not cite its code. */
type Guarantees = {
  readonly sections: readonly Section[];
  readonly cases: Readonly<Record<string, readonly Omit<Guarantee, 'what'>[]>>;
};

export type Proof = { readonly code: string; readonly file: string; readonly title: string };
/** A test file: its text, and the same on one line. */
type Source = { readonly file: string; readonly text: string; readonly words: string };

const TITLE = /(?:\b(?:it|test|describe)(?:\.\w+)*\(|\)\()\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g;
const CODE = /(?<![\w%#.-])[A-HKLNQRSX][1-9]\d{0,2}(?![\w-])/g;
const DEFINITION = /^- \*\*([A-HKLNQRSX]\d+)\*\* /gm;
const SERIES = /^## (.+) \(([A-Z])\)$/gm;

/** Everything that the map of `test/coverage.md` is made of. */
export async function readCoverage() {
  const guarantees = JSON.parse(await readProjectFile('test/guarantees.json')) as Guarantees;
  const cases = await readProjectFile('docs/cases.md');
  const files = (await listProjectFiles()).filter(
    (file) => /\.test\.tsx?$|^test\/.*\.ts$/.test(file) && !file.startsWith('test/tooling/'),
  );
  const sources: readonly Source[] = await Promise.all(
    files.map(async (file) => {
      const text = await readProjectFile(file);
      return { file, text, words: flatten(text) };
    }),
  );
  return {
    guarantees,
    sources,
    codes: [...cases.matchAll(DEFINITION)].map(([, code = '']) => code),
    series: [...cases.matchAll(SERIES)].map(([, title = '', letter = '']) => ({ title, letter })),
  };
}
export type Coverage = Awaited<ReturnType<typeof readCoverage>>;

/** Every test that proves a case: by the codes in its title, or by its entry in `test/guarantees.json`. */
export function listProofs({ guarantees, sources, codes }: Coverage): readonly Proof[] {
  const cited = sources.flatMap(({ file, text }) =>
    listTitles(text).flatMap((title) =>
      [...new Set(title.match(CODE))].map((code) => ({ code, file, title })),
    ),
  );
  const listed = Object.entries(guarantees.cases).flatMap(([code, tests]) =>
    tests.map((test) => ({ code, file: findFile(sources, test), title: test.test })),
  );
  return [...cited, ...listed].toSorted(
    (a, b) =>
      codes.indexOf(a.code) - codes.indexOf(b.code) || compare(a.file, b.file) || compare(a.title, b.title),
  );
}

/** The text of `test/coverage.md`. Throws where a guarantee names a title that stands in no file, or in several. */
export async function renderCoverage(coverage: Coverage): Promise<string> {
  const { guarantees, sources, codes, series } = coverage;
  const proofs = listProofs(coverage);
  const lines = [
    '# What proves what',
    '',
    'Written by `npm run generate` from the titles of the tests. A test proves a case of [docs/cases.md](../docs/cases.md) when its title',
    'cites the case; `test/guarantees.json` lists tests whose titles do not, and the parts of the interface. A `%s` in a title stands for',
    'a gateway, a fault or a step.',
    '',
    '## The interface, part by part',
    ...guarantees.sections.flatMap(({ heading, guarantees: rows }) => [
      '',
      heading,
      '',
      ...renderTable(
        ['what', 'file', 'test'],
        rows.map((row) => [row.what, findFile(sources, row), row.test]),
      ),
    ]),
    '',
    '## The cases',
    ...series.flatMap(({ title, letter }) => [
      '',
      `### ${letter}. ${title}`,
      '',
      ...renderTable(
        ['case', 'file', 'test'],
        proofs
          .filter(({ code }) => code.startsWith(letter) && codes.includes(code))
          .map(({ code, file, title: test }) => [code, file, test]),
      ),
    ]),
    '',
  ];
  const style = await resolveConfig('coverage.md', { config: `${project}.configs/prettier.json` });
  return format(lines.join('\n'), { ...style, parser: 'markdown' });
}

/** The only file in which the words of a test's title stand. */
export function findFile(
  sources: readonly Source[],
  { test, in: part = '' }: Omit<Guarantee, 'what'>,
): string {
  const found = sources.filter(({ file, words }) => file.includes(part) && words.includes(test));
  const [only, ...others] = found;
  if (only && others.length === 0) return only.file;
  throw new Error(
    `"${test}" stands in ${found.length} test files: ${found.map(({ file }) => file).join(', ')}`,
  );
}

const listTitles = (text: string): readonly string[] =>
  [...text.matchAll(TITLE)].map(([, , title = '']) => flatten(title));

/** Text on one line, its quotes as they read. */
const flatten = (text: string): string => text.replaceAll(/\\(['"`])/g, '$1').replaceAll(/\s+/g, ' ');

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [line(head), `|${head.map(() => ' --- ').join('|')}|`, ...rows.map(line)];
}

const escapeCell = (cell: string): string => cell.replaceAll(/[|*<]/g, (sign) => `\\${sign}`);
