import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { dumpSchema, migrate } from '@gp/pg';
import { ownPostgres } from './own-server.ts';
import { testDatabase } from './test-database.ts';
import type { SchemaSource } from './templates.ts';

/** The parts of a workspace that are generated from its source and committed. */
export type Generated = {
  /** The workspace's folder. */
  readonly folder: string;
  /** The schema that `schema.sql` shows. */
  readonly schema?: SchemaSource;
  /** Parts of the README by name: the text between `<!-- name -->` and `<!-- /name -->`. */
  readonly readme?: Readonly<Record<string, string>>;
  /** Further files by their path in the folder. */
  readonly files?: Readonly<Record<string, string>>;
};

const prettierFile = resolve(import.meta.dirname, '../../../.configs/prettier.json');

/** Returns every generated file with its current text, by its path. Throws where the README lacks a marker. */
export async function generatedFiles(o: Generated): Promise<ReadonlyMap<string, string>> {
  const texts = new Map(Object.entries(o.files ?? {}).map(([name, text]) => [join(o.folder, name), text]));
  if (o.readme) texts.set(join(o.folder, 'README.md'), await readmeText(o.folder, o.readme));
  if (o.schema) texts.set(join(o.folder, 'schema.sql'), await schemaText(o.schema));
  return texts;
}

/** Writes the generated files: the work of a `generate.ts`. */
export async function writeGenerated(o: Generated): Promise<void> {
  for (const [file, text] of await generatedFiles(o)) await writeFile(file, text);
}

/** Returns the generated files that differ from their source; a test expects none. */
export async function staleFiles(o: Generated): Promise<string[]> {
  const stale: string[] = [];
  for (const [file, text] of await generatedFiles(o)) {
    if ((await readFile(file, 'utf8').catch(() => '')) !== text) stale.push(file);
  }
  return stale;
}

/** Returns a machine's diagram, or any Mermaid text, as a README shows it. */
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
  // Only an install for development has it, and the demo imports this library, too.
  const { format, resolveConfig } = await import('prettier');
  const style = await resolveConfig('README.md', { config: prettierFile });
  return format(text, { ...style, parser: 'markdown' });
}

/** In a test run the shared server has the migrated schema already; a script starts its own server. */
async function schemaText(source: SchemaSource): Promise<string> {
  if (process.env['GP_TEST_SERVERS']) {
    const database = await testDatabase({ schemas: [source] });
    try {
      return await dumpSchema(database.adminUrl, source.schema);
    } finally {
      await database.drop();
    }
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
