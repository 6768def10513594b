import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * `npm run clients -- typescript [folder]` writes `dist`, or another folder, which is packed and
 * published: JavaScript and types as ES modules and as CommonJS, for Node 20 and newer, browsers and edge runtimes.
 */
const here = import.meta.dirname;
const dist = resolve(process.argv[2] ?? join(here, 'dist'));
const root = resolve(here, '../..');

type Manifest = { version: string; exports: Record<string, string>; [field: string]: unknown };
const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')) as Manifest;

/** `./src/webhooks.ts` as one of the two kinds of module. */
const findOutput = (kind: 'esm' | 'cjs', source: string) => ({
  types: source.replace('./src/', `./${kind}/`).replace(/\.ts$/, '.d.ts'),
  default: source.replace('./src/', `./${kind}/`).replace(/\.ts$/, '.js'),
});

function compile(kind: 'esm' | 'cjs', module: string): void {
  const options = ['--module', module, '--outDir', join(dist, kind)];
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', join(here, 'tsconfig.package.json'), ...options], {
    stdio: 'inherit',
  });
  const type = kind === 'esm' ? 'module' : 'commonjs';
  writeFileSync(join(dist, kind, 'package.json'), `${JSON.stringify({ type })}\n`);
}

rmSync(dist, { recursive: true, force: true });
compile('esm', 'esnext');
compile('cjs', 'commonjs');
for (const file of ['README.md', '../../LICENSE'])
  copyFileSync(join(here, file), join(dist, file.split('/').at(-1) ?? ''));

const { name, version, description, license } = manifest;
const entries: Record<string, unknown> = {};
for (const [entry, source] of Object.entries(manifest.exports))
  entries[entry] = { import: findOutput('esm', source), require: findOutput('cjs', source) };
const published = {
  name,
  version,
  description,
  license,
  keywords: ['payments', 'group payments', 'split bill', 'webhooks'],
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  main: './cjs/index.js',
  types: './cjs/index.d.ts',
  exports: { ...entries, './package.json': './package.json' },
};
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);
