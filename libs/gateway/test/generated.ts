import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { outboxMigrations } from '@gp/outbox';
import { dumpSchema, migrate } from '@gp/pg';
import { ownPostgres } from '@gp/testing';
import { format, resolveConfig } from 'prettier';
import { attemptMachine } from '../src/domain/attempt.machine.ts';
import { gatewayMigrations } from '../src/index.ts';

const folder = resolve(import.meta.dirname, '..');
const PART = /<!-- states -->[^]*<!-- \/states -->/;

/** Every generated file of this library with the text it should have. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const readme = resolve(folder, 'README.md');
  const style = await resolveConfig('README.md', { config: resolve(folder, '../../.configs/prettier.json') });
  const states = `<!-- states -->\n\n\`\`\`mermaid\n${attemptMachine.diagram()}\`\`\`\n\n<!-- /states -->`;
  const text = (await readFile(readme, 'utf8')).replace(PART, () => states);
  return new Map([
    [readme, await format(text, { ...style, parser: 'markdown' })],
    [resolve(folder, 'schema.sql'), await schemaText()],
  ]);
}

/** The schema of any adapter: they differ in name only. */
async function schemaText(): Promise<string> {
  const server = await ownPostgres();
  try {
    const schema = 'gateway';
    const directories = [outboxMigrations, gatewayMigrations];
    await migrate({ url: server.url, schema, role: schema, password: 'unused', directories });
    return await dumpSchema(server.url, schema);
  } finally {
    await server.stop();
  }
}
