import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { EVENT_TYPES, GROUP_STATES, publicApi, SLOT_STATES } from '@gp/contracts';

type Row = { readonly number: string; readonly file: string; readonly title: string };

const project = fileURLToPath(new URL('../..', import.meta.url));
const table = readFileSync(`${project}test/coverage.md`, 'utf8');
const UNPROVEN = 'not proven';

/** Rows end with a file and a title; in the tables of cases they begin with a number. */
const rows: readonly Row[] = table
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').slice(1, -1))
  .map((cells) => cells.map((cell) => cell.trim().replaceAll('\\', '')))
  .filter((cells) => cells.at(-2) !== 'file' && !/^-+$/.test(cells.at(-2) ?? ''))
  .map((cells) => ({
    number: cells.length === 4 ? (cells[0] ?? '') : '',
    file: cells.at(-2) ?? '',
    title: cells.at(-1) ?? '',
  }));

const proofs = rows.filter(({ file }) => file !== UNPROVEN);

const series = { A: 11, B: 12, C: 7, D: 8, E: 10, F: 7, G: 7, Q: 32, R: 8, S: 10, L: 4 };
const numbers = Object.entries(series).flatMap(([letter, last]) =>
  Array.from({ length: last }, (_, index) => `${letter}${index + 1}`),
);

/** Source text on one line, its quotes as they read. */
const textOf = (file: string): string =>
  readFileSync(project + file, 'utf8')
    .replaceAll("\\'", "'")
    .replaceAll(/\s+/g, ' ');

/** Whether the tables speak of this word, and not only of a longer one. */
const isNamed = (word: string): boolean =>
  new RegExp(`(?<![\\w./])${word.replaceAll(/[.{}]/g, '\\$&')}(?![\\w./])`).test(table);

describe('the table of what proves what', () => {
  it('names files that exist', () => {
    const files = [...new Set(proofs.map(({ file }) => file))];
    expect(files.filter((file) => !existsSync(project + file))).toEqual([]);
    expect(files.length).toBeGreaterThan(50);
  });

  it('names titles that stand in their files', () => {
    const gone = proofs.filter(({ file, title }) => !textOf(file).includes(title));
    expect(gone).toEqual([]);
  });

  it('has every case', () => {
    const known = new Set(rows.map(({ number }) => number));
    expect(numbers.filter((number) => !known.has(number))).toEqual([]);
  });

  it('proves something of every case', () => {
    const proven = new Set(proofs.map(({ number }) => number));
    expect(numbers.filter((number) => !proven.has(number))).toEqual([]);
  });

  it('has every part of the specification', () => {
    const parts = [...table.matchAll(/^### (\d) /gm)].map(([, part]) => Number(part));
    expect(parts).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('names every operation, event, state, status and header', () => {
    const operations = Object.values(publicApi.operations).map(({ method, path }) => `${method} ${path}`);
    const statuses = ['400', '401', '404', '409', '422', '500', '502'];
    const headers = ['Idempotency-Key', 'Service-Signature', 'Service-Event-Id', 'Service-Event-Type'];
    const words = [...operations, ...EVENT_TYPES, ...GROUP_STATES, ...SLOT_STATES, ...statuses, ...headers];
    expect(words.filter((word) => !isNamed(word))).toEqual([]);
  });
});
