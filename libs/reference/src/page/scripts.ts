import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { resolve } from 'node:path';
import { idsInExamples, idSources, nameOfPathId } from '../id-sources.ts';
import type { JsonObject } from '../json.ts';

const folder = resolve(import.meta.dirname, '../browser');

/** The modules of the form that sends requests, those first that the others need. */
const TRY_IT = [
  'operation',
  'request',
  'elements',
  'key',
  'key-field',
  'answer',
  'fields',
  'ids',
  'try-it',
] as const;

/** Returns the script that is part of the page, as browsers run it. */
export const readPageScript = (): Promise<string> => joinModules(['page']);

/** Returns the script that a reader's browser loads to send requests from the page. */
export async function readTryItScript(document: JsonObject): Promise<string> {
  const style = await readFile(resolve(folder, 'try-it/try-it.css'), 'utf8');
  const modules = TRY_IT.map((name) => `try-it/${name}`);
  return joinModules(modules, {
    STYLE: style,
    ID_SOURCES: idSources,
    PATH_IDS: listPathIds(document),
    IDS_IN_EXAMPLES: idsInExamples,
  });
}

/** Returns the hash of a script or style as policies and `integrity` name it. */
export const computeHash = (text: string): string =>
  `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** By operation, what each parameter of its path names. */
function listPathIds(document: JsonObject): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const paths = document['paths'] as Record<string, Record<string, JsonObject>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map(({ operationId }) => ({ path, id: String(operationId) })),
  );
  return Object.fromEntries(
    operations.map(({ path, id }) => {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      return [id, Object.fromEntries(names.map((name) => [name, nameOfPathId(path, name)]))];
    }),
  );
}

/** Returns modules as one block of a classic script, without types, imports and exports, behind the values given. */
async function joinModules(
  names: readonly string[],
  values: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const sources = await Promise.all(names.map((name) => readFile(resolve(folder, `${name}.ts`), 'utf8')));
  const constants = Object.entries(values).map(
    ([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`,
  );
  return `'use strict';\n{\n${constants.join('')}${sources.map(toScript).join('\n')}}\n`;
}

function toScript(source: string): string {
  return stripTypeScriptTypes(source)
    .replaceAll(/^import [^;]*;\n/gm, '')
    .replaceAll(/^export \{\};\n/gm, '')
    .replaceAll(/^export (?=(?:async )?function|const|class)/gm, '');
}
