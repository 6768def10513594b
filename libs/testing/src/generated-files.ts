import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { dumpSchema, migrate } from '@gp/pg';
import { format, resolveConfig } from 'prettier';
import { ownPostgres } from './own-server.ts';
import { testDatabase } from './test-database.ts';
import type { SchemaSource } from './templates.ts';

/** What of a workspace is written from its source and checked in. */
export type Generated = {
  /** The workspace's folder. */
  readonly folder: string;
  /** The schema that `schema.sql` shows. */
  readonly schema?: SchemaSource;
  /** Parts of the README by name: what stands between `<!-- name -->` and `<!-- /name -->`. */
  readonly readme?: Readonly<Record<string, string>>;
  /** Further files by their path in the folder. */
  readonly files?: Readonly<Record<string, string>>;
};

const prettierFile = resolve(import.meta.dirname, '../../../.configs/prettier.json');

/** Every generated file with the text it should have, by its path. Throws where the README lacks a marker. */
export async function generatedFiles(o: Generated): Promise<ReadonlyMap<string, string>> {
  const texts = new Map(Object.entries(o.files ?? {}).map(([name, text]) => [join(o.folder, name), text]));
  if (o.readme) texts.set(join(o.folder, 'README.md'), await readmeText(o.folder, o.readme));
  if (o.schema) texts.set(join(o.folder, 'schema.sql'), await schemaText(o.schema));
  return texts;
}

/** Writes them: what a `generate.ts` does. */
export async function writeGenerated(o: Generated): Promise<void> {
  for (const [file, text] of await generatedFiles(o)) await writeFile(file, text);
}

/** The generated files that do not say what their source says now; none is the only good answer. */
export async function staleFiles(o: Generated): Promise<string[]> {
  const stale: string[] = [];
  for (const [file, text] of await generatedFiles(o)) {
    if ((await readFile(file, 'utf8').catch(() => '')) !== text) stale.push(file);
  }
  return stale;
}

/** A machine's drawing, or any Mermaid text, as a README shows it. */
export function mermaid(diagram: string): string {
  return `\`\`\`mermaid\n${diagram.trimEnd()}\n\`\`\``;
}

async function readmeText(folder: string, parts: Readonly<Record<string, string>>): Promise<string> {
  let text = await readFile(join(folder, 'README.md'), 'utf8');
  for (const [name, part] of Object.entries(parts)) {
    const place = new RegExp(`<!-- ${name} -->[^]*<!-- /${name} -->`);
    if (!place.test(text)) throw new Error(`${folder}/README.md has no place for "${name}"`);
    text = text.replace(place, () => `<!-- ${name} -->\n\n${part.trim()}\n\n<!-- /${name} -->`);
  }
  const style = await resolveConfig('README.md', { config: prettierFile });
  return format(text, { ...style, parser: 'markdown' });
}

/** In a test run the shared server has the migrated schema already; a script starts a server for the moment. */
async function schemaText(source: SchemaSource): Promise<string> {
  if (process.env['GP_TEST_SERVERS']) {
    const database = await testDatabase({ schemas: [source] });
    return dumpSchema(database.adminUrl, source.schema).finally(() => database.drop());
  }
  const server = await ownPostgres();
  try {
    const { schema, directories } = source;
    await migrate({ url: server.url, schema, role: schema, password: 'unused', directories });
    return await dumpSchema(server.url, schema);
  } finally {
    await server.stop();
  }
}
