import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The expected status for each credential, by operation: `{ 'GET /api/me': { owner: '200', nobody: '401' } }`. */
export type Expectations = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Reads the one table of a Markdown file beside this one: operations down, credentials across. */
export async function readExpectations(name: string): Promise<Expectations> {
  const text = await readFile(join(import.meta.dirname, `${name}.md`), 'utf8');
  const [head = [], , ...rows] = text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map(readCells);
  return new Map(
    rows.map(([operation = '', ...cells]) => [
      operation.replaceAll('`', ''),
      new Map(cells.map((status, index) => [head[index + 1] ?? '', status])),
    ]),
  );
}

const readCells = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Returns a row without its variant, which follows a dot: `GET /api/keys · live`. */
export const withoutVariant = (row: string): string => row.replace(/ · .*$/, '');

/** Writes each row of both modes once for each: `{mode}` stands for `test` and for `live`. */
export function forEachMode(expectations: Expectations): Expectations {
  const rows = [...expectations].flatMap(([row, cells]) =>
    row.includes('{mode}')
      ? ['test', 'live'].map((mode) => [row.replace('{mode}', mode), cells] as const)
      : [[row, cells] as const],
  );
  return new Map(rows);
}
