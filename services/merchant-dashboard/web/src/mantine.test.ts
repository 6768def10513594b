import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';

const require = createRequire(import.meta.url);
const library = dirname(require.resolve('@mantine/core/styles.css'));
const beside = (name: string): string => join(library, '..', name, 'esm');
const CLASS = /\bm_[0-9a-f]{6,8}\b/g;

const listFiles = async (folder: string, ending: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(({ name }) => name.endsWith(ending))
    .map(({ parentPath, name }) => join(parentPath, name));
};

/** The names that a text imports from the library. */
function listImports(text: string): string[] {
  const imports = text.matchAll(/import\s\{([^}]*)\}\sfrom\s['"]@mantine\/core['"]/g);
  return [...imports].flatMap(([, names = '']) => names.split(',').map((name) => name.trim()));
}

/** Reads a module of the library and, by their relative imports, all that it loads. */
async function readWithImports(path: string, texts = new Map<string, string>()) {
  if (texts.has(path)) return texts;
  const text = await readFile(path, 'utf8').catch(() => '');
  texts.set(path, text);
  for (const [, next = ''] of text.matchAll(/from\s["'](\.[^"']+)["']/g))
    await readWithImports(join(dirname(path), next), texts);
  return texts;
}

it('the style sheet has the styles of every component of the library that the pages use', async () => {
  const sources = [
    ...(await listFiles(import.meta.dirname, '.tsx')),
    ...(await listFiles(join(beside('charts'), 'BarChart'), '.mjs')),
    ...(await listFiles(join(beside('charts'), 'ChartTooltip'), '.mjs')),
    ...(await listFiles(beside('notifications'), '.mjs')),
  ];
  const texts = await Promise.all(sources.map((path) => readFile(path, 'utf8')));
  const modules = new Map<string, string>();
  for (const name of new Set(texts.flatMap(listImports)))
    await readWithImports(join(library, 'esm', 'components', name, `${name}.mjs`), modules);
  const used = [...modules.values()].flatMap((text) => text.match(CLASS) ?? []);
  const list = await readFile(join(import.meta.dirname, 'mantine.css'), 'utf8');
  const sheets = [...list.matchAll(/@import\s'([^']+)'/g)].map(([, sheet = '']) => require.resolve(sheet));
  const styles = (await Promise.all(sheets.map((path) => readFile(path, 'utf8')))).join('');
  const all = await readFile(join(library, 'styles.css'), 'utf8');
  expect(used.length).toBeGreaterThan(100);
  expect(used.filter((name) => all.includes(name) && !styles.includes(name))).toEqual([]);
});
