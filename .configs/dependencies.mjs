import { existsSync, globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, resolve } from 'node:path';
import ts from 'typescript';

/**
 * `node .configs/dependencies.mjs [folder]` compares what each workspace imports with what its package.json declares.
 * Exits with 1 when a package is declared and not used, or imported and not declared. Every workspace may use the tools
 * that the root declares, and the testing library: some of its own dependencies could not declare it without a circle.
 */
const root = resolve(process.argv[2] ?? '.');
const notOurs = new Set(['node_modules', 'dist', '.data', '.turbo']);
const read = (path) => readFileSync(join(root, path), 'utf8');
const manifestOf = (folder) => JSON.parse(read(join(folder, 'package.json')));

const folders = globSync(
  manifestOf('.').workspaces.map((pattern) => `${pattern}/package.json`),
  { cwd: root, exclude: (name) => notOurs.has(name) },
).map((file) => file.replace(/\/package\.json$/, ''));

/** The workspace that a file belongs to: the innermost folder around it, else the root. */
const ownerOf = (file) =>
  folders.filter((folder) => file.startsWith(`${folder}/`)).sort((a, b) => b.length - a.length)[0] ?? '.';

const sources = globSync('{libs,services,test,.configs,tilt}/**/*.{ts,tsx,mjs,cjs}', {
  cwd: root,
  exclude: (name) => notOurs.has(name),
}).map((file) => ({ file, owner: ownerOf(file), text: read(file) }));

/** The package of `name/path` or `@scope/name/path`; undefined for a file and for what Node brings. */
function packageOf(specifier) {
  if (/^[./#]|^(node|data|virtual):/.test(specifier)) return undefined;
  const name = /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0];
  return builtinModules.includes(name) ? undefined : name;
}

const importsOf = ({ text }) =>
  ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => packageOf(fileName))
    .filter((name) => name !== undefined);

/** Whether a text names the package in quotes or by its path below node_modules: tests load some in other ways. */
const names = (text, name) =>
  new RegExp(String.raw`(['"\`]|node_modules/)${name.replace('.', String.raw`\.`)}(['"\`/])`).test(text);

/** What installed packages of a workspace expect beside them. */
const peersOf = (folder, packages) =>
  packages.flatMap((name) => {
    const places = [folder, '.'].map((place) => join(place, 'node_modules', name));
    const found = places.find((place) => existsSync(join(root, place, 'package.json')));
    return found ? Object.keys(manifestOf(found).peerDependencies ?? {}) : [];
  });

const faults = [];
const { dependencies: builders, devDependencies: checkers } = manifestOf('.');
const tools = new Set(['@gp/testing', ...Object.keys({ ...builders, ...checkers })]);
for (const folder of folders) {
  const { name: self, dependencies = {}, devDependencies = {} } = manifestOf(folder);
  const declared = new Set([self, ...Object.keys(dependencies), ...Object.keys(devDependencies)]);
  const own = sources.filter(({ owner }) => owner === folder);
  for (const source of own)
    for (const name of new Set(importsOf(source)))
      if (!declared.has(name) && !tools.has(name)) faults.push(`${source.file} uses undeclared ${name}`);
  const peers = peersOf(folder, [...declared]);
  for (const name of declared) {
    const typed = name.replace(/^@types\//, '').replace('__', '/');
    const isUsed =
      name === self ||
      peers.includes(name) ||
      own.some(({ text }) => names(text, name) || names(text, typed));
    if (!isUsed) faults.push(`${folder} does not use ${name}`);
  }
}

for (const fault of faults.sort()) process.stdout.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
