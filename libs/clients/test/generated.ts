import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Generated } from '@gp/testing';
import { describePythonOperations } from './python-operations.ts';

const folder = resolve(import.meta.dirname, '..');

/** Returns a program that tests run, for a README. */
async function quote(language: string, file: string): Promise<string> {
  const text = await readFile(resolve(folder, language, file), 'utf8');
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

/** The committed files that are generated, by language. */
export const generated: readonly Generated[] = [
  {
    folder: resolve(folder, 'python'),
    readme: {
      example: await quote('python', 'example.py'),
      more: await quote('python', 'example_more.py'),
      operations: await describePythonOperations(resolve(folder, '../reference/openapi.json')),
    },
  },
  { folder: resolve(folder, 'go'), readme: { example: await quote('go', 'example/example.go') } },
];
