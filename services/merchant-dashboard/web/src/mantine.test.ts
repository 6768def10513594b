import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';

const require = createRequire(import.meta.url);
const library = dirname(require.resolve('@mantine/core/styles.css'));
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

/** Reads a source and all that it imports by itself, not what it loads when it is wanted. */
async function readSources(path: string, texts = new Map<string, string>()) {
  if (texts.has(path)) return texts;
  const text = await readFile(path, 'utf8');
  texts.set(path, text);
  for (const [, next = ''] of text.matchAll(/from\s'(\.[^']+\.tsx?)'/g))
    await readSources(join(dirname(path), next), texts);
  return texts;
}

/** Returns the library's class names in the components that sources use, with those that the components use themselves. */
async function listClasses(texts: readonly string[]): Promise<string[]> {
  const modules = new Map<string, string>();
  for (const name of new Set(['MantineProvider', ...texts.flatMap(listImports)]))
    await readWithImports(join(library, 'esm', 'components', name, `${name}.mjs`), modules);
  return [...modules.values()].flatMap((text) => text.match(CLASS) ?? []);
}

/** Reads the library's styles that a style sheet imports. */
async function readStyles(sheet: string): Promise<string> {
  const list = await readFile(join(import.meta.dirname, sheet), 'utf8');
  const sheets = [...list.matchAll(/@import\s'([^']+)'/g)].map(([, name = '']) => require.resolve(name));
  return (await Promise.all(sheets.map((path) => readFile(path, 'utf8')))).join('');
}

it('the style sheets have the styles of every component of the library that the pages use', async () => {
  const notifications = dirname(require.resolve('@mantine/notifications/styles.css'));
  const sources = [
    ...(await listFiles(import.meta.dirname, '.tsx')),
    ...(await listFiles(notifications, '.mjs')),
  ];
  const used = await listClasses(await Promise.all(sources.map((path) => readFile(path, 'utf8'))));
  const styles = (await readStyles('base.css')) + (await readStyles('shell/frame.css'));
  const all = await readFile(join(library, 'styles.css'), 'utf8');
  expect(used.length).toBeGreaterThan(100);
  expect(used.filter((name) => all.includes(name) && !styles.includes(name))).toEqual([]);
});

it('the first style sheet has the styles of every component of the pages before the login', async () => {
  const screens = (await listFiles(join(import.meta.dirname, 'screens/account'), '.screen.tsx')).concat(
    join(import.meta.dirname, 'main.tsx'),
  );
  const texts = new Map<string, string>();
  for (const path of screens) await readSources(path, texts);
  const used = await listClasses([...texts.values()]);
  const styles = await readStyles('base.css');
  const all = await readFile(join(library, 'styles.css'), 'utf8');
  expect(used.length).toBeGreaterThan(30);
  expect(used.filter((name) => all.includes(name) && !styles.includes(name))).toEqual([]);
});
