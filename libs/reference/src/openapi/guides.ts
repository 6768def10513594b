import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errorTable } from './errors.ts';
import { renderTestCards } from './test-cards.ts';

const folder = resolve(import.meta.dirname, '../../guides');

/** Returns all guides in their order, as one Markdown text. */
export async function guides(): Promise<string> {
  const names = (await readdir(folder))
    .filter((name) => name.endsWith('.md'))
    .sort((a, b) => parseInt(a, 10) - parseInt(b, 10));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts
    .map((text) => text.trim())
    .join('\n\n')
    .replace('{{error codes}}', () => errorTable())
    .replace('{{test cards}}', () => renderTestCards());
}
