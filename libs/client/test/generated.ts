import { resolve } from 'node:path';
import { readFile } from 'node:fs/promises';
import { openApi } from '@gp/reference';
import type { Generated } from '@gp/testing';
import { format } from 'prettier';
import { describeOperations } from './operations-table.ts';
import { typesFrom } from './types-from.ts';

const style = { parser: 'typescript', printWidth: 110, singleQuote: true } as const;

/** Returns a program that tests run, as the README shows it. */
async function show(file: string): Promise<string> {
  const program = await readFile(resolve(import.meta.dirname, file), 'utf8');
  return `\`\`\`ts\n${program.trimEnd()}\n\`\`\``;
}

/** The committed files that are generated from openapi.json. */
export const generated: Generated = {
  folder: resolve(import.meta.dirname, '..'),
  readme: {
    example: await show('example.ts'),
    'node endpoint': await show('endpoints/node.ts'),
    'express endpoint': await show('endpoints/express.ts'),
    'fetch endpoint': await show('endpoints/fetch.ts'),
    operations: describeOperations(await openApi()),
  },
  files: { 'src/generated/interface.ts': await format(typesFrom(await openApi()), style) },
};
