import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describeConfig } from '@gp/config';
import { dumpSchema, migrate } from '@gp/pg';
import { ownPostgres } from '@gp/testing';
import { format, resolveConfig } from 'prettier';
import { config } from '../src/config.ts';
import { paymentMachine } from '../src/domain/payment.machine.ts';

const folder = resolve(import.meta.dirname, '..');

/** Every generated file of this service with the text it should have. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const readme = resolve(folder, 'README.md');
  return new Map([
    [readme, await formatted(readmeWith(await readFile(readme, 'utf8')))],
    [resolve(folder, 'schema.sql'), await schemaText()],
  ]);
}

function readmeWith(text: string): string {
  const states = `\`\`\`mermaid\n${paymentMachine.diagram()}\`\`\``;
  return inserted(inserted(text, 'states', states), 'configuration', describeConfig(config).trim());
}

async function formatted(text: string): Promise<string> {
  const style = await resolveConfig('README.md', { config: resolve(folder, '../../.configs/prettier.json') });
  return format(text, { ...style, parser: 'markdown' });
}

function inserted(text: string, name: string, part: string): string {
  return text.replace(
    new RegExp(`<!-- ${name} -->[^]*<!-- /${name} -->`),
    () => `<!-- ${name} -->\n\n${part}\n\n<!-- /${name} -->`,
  );
}

async function schemaText(): Promise<string> {
  const server = await ownPostgres();
  try {
    const schema = 'psp_sandbox';
    const directories = [resolve(folder, 'migrations')];
    await migrate({ url: server.url, schema, role: schema, password: 'unused', directories });
    return await dumpSchema(server.url, schema);
  } finally {
    await server.stop();
  }
}
