import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { bundleName } from '../libs/stack/src/program.ts';
import { listBundledPrograms } from './programs.mjs';

/**
 * `node .configs/compile.mjs <folder>` writes what an image runs, after `npm run bundle`: the bundles, and at the path of
 * each program's source a file that loads its bundle; every other source as JavaScript at the same path, beside it what
 * the sources read, and the workspaces' package.json that lead there. Tests and tools stay away.
 */
const root = resolve(import.meta.dirname, '..');
const out = resolve(process.argv[2] ?? join(root, '.data/image'));

// Tests are for development, and so are the embedded servers.
const left = ['libs/testing', 'libs/stack', 'libs/client', 'libs/clients'];
const workspaces = globSync(['libs/*', 'services/*', 'services/*/web', 'services/gateway-adapters/*'], {
  cwd: root,
}).filter((folder) => !left.includes(folder));
// What serves these to browsers takes the types off by itself.
const served =
  /^(libs\/reference\/src\/browser\/|services\/(psp-sandbox\/src\/(browser\/|domain\/card-number\.ts$)|gateway-adapters\/[^/]+\/sandbox\/browser\/))/;
const options = {
  module: ts.ModuleKind.ESNext,
  target: ts.ScriptTarget.ES2024,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
};

const bundled = new Set(listBundledPrograms(root));
const bundledFolders = [...bundled].map((program) => `${dirname(program)}/`);
cpSync(join(root, 'dist'), join(out, 'dist'), { recursive: true });
// The reference shows what of it integrators notice.
cpSync(join(root, 'CHANGELOG.md'), join(out, 'CHANGELOG.md'));

for (const folder of workspaces) {
  // What a service reads besides its sources: SQL, statements, pages that were built before, the widget's releases.
  const files = globSync(
    `${folder}/{package.json,manifest.ts,*.sql,*.json,{src,sandbox,migrations,statements,guides,public,dist,widget}/**/{*,.vite/*}}`,
    {
      cwd: root,
      withFileTypes: true,
      exclude: (entry) => entry.name === 'node_modules',
    },
  );
  for (const entry of files) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    write(file.slice(root.length + 1), file);
  }
}

function write(path, file) {
  const target = join(out, path);
  // Components are in what was built of them.
  if (path.endsWith('.tsx')) return;
  if (path.includes('/test/') || path.endsWith('.test.ts') || basename(path) === 'tsconfig.json') return;
  if (bundled.has(path)) return writeEntry(path, target);
  // The bundle has what its services' sources say.
  if (/\.ts$/.test(path) && bundledFolders.some((folder) => path.startsWith(folder))) return;
  mkdirSync(dirname(target), { recursive: true });
  if (served.test(path)) cpSync(file, target);
  if (/\.ts$/.test(path) && !path.endsWith('.d.ts')) {
    const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), {
      fileName: file,
      compilerOptions: options,
    });
    writeFileSync(target.replace(/\.ts$/, '.js'), outputText);
  } else if (basename(path) === 'package.json') {
    writeFileSync(target, readFileSync(file, 'utf8').replaceAll('.ts"', '.js"'));
  } else {
    cpSync(file, target);
  }
}

function writeEntry(path, target) {
  mkdirSync(dirname(target), { recursive: true });
  const bundle = join(out, 'dist', bundleName(path));
  writeFileSync(target.replace(/\.ts$/, '.js'), `import '${relative(dirname(target), bundle)}';\n`);
}
