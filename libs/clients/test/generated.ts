import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Generated } from '@gp/testing';

const folder = resolve(import.meta.dirname, '..');

/** Returns a README whose example is the program that tests run. */
async function describe(language: string, file: string): Promise<Generated> {
  const text = await readFile(resolve(folder, language, file), 'utf8');
  const example = `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
  return { folder: resolve(folder, language), readme: { example } };
}

/** The committed files that are generated, by language. */
export const generated: readonly Generated[] = [
  await describe('python', 'example.py'),
  await describe('go', 'example/example.go'),
];
