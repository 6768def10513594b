import { resolve } from 'node:path';
import { readFile } from 'node:fs/promises';
import { openApi } from '@gp/reference';
import type { Generated } from '@gp/testing';
import { format } from 'prettier';
import { typesFrom } from './types-from.ts';

const style = { parser: 'typescript', printWidth: 110, singleQuote: true } as const;

const example = await readFile(resolve(import.meta.dirname, 'example.ts'), 'utf8');

/** The committed files that are generated from openapi.json. */
export const generated: Generated = {
  folder: resolve(import.meta.dirname, '..'),
  readme: { example: `\`\`\`ts\n${example.trimEnd()}\n\`\`\`` },
  files: { 'src/generated/interface.ts': await format(typesFrom(await openApi()), style) },
};
