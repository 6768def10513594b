import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describeConfig } from '@gp/config';
import { format, resolveConfig } from 'prettier';
import { config } from '../src/config.ts';

const folder = resolve(import.meta.dirname, '..');
const PART = /<!-- configuration -->[^]*<!-- \/configuration -->/;

/** Every generated file of this service with the text it should have. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const readme = resolve(folder, 'README.md');
  const style = await resolveConfig('README.md', {
    config: resolve(folder, '../../../.configs/prettier.json'),
  });
  const table = `<!-- configuration -->\n\n${describeConfig(config).trim()}\n\n<!-- /configuration -->`;
  const text = (await readFile(readme, 'utf8')).replace(PART, () => table);
  return new Map([[readme, await format(text, { ...style, parser: 'markdown' })]]);
}
