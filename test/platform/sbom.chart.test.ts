import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { root } from './processes.ts';

type Bill = {
  readonly components: readonly Readonly<Record<string, unknown>>[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};
type Manifest = Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string };

/** Files below `folder`: a workspace, a package of two versions, one of a scope. */
const tree: Readonly<Record<string, Manifest>> = {
  '': { name: 'all', version: '3.0.0', workspaces: ['libs/*'] },
  'libs/mine': { name: '@gp/mine', version: '1.0.0', dependencies: { '@scope/a': '1', b: '1' } },
  'node_modules/@scope/a': { name: '@scope/a', version: '1.0.0', dependencies: { b: '2' } },
  'node_modules/@scope/a/node_modules/b': { name: 'b', version: '2.0.0' },
  'libs/mine/node_modules/b': { name: 'b', version: '1.0.0', optionalDependencies: { absent: '1' } },
};
const locked = (change: Readonly<Record<string, object>> = {}) =>
  Object.fromEntries(
    Object.entries(tree).map(([path, { version }]) => [
      path,
      { version, license: 'MIT', integrity: 'sha512-AAEC', ...change[path] },
    ]),
  );

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gp-sbom-'));
  for (const [path, manifest] of Object.entries(tree)) write(join(path, 'package.json'), manifest);
  mkdirSync(join(folder, 'node_modules/@gp'));
  symlinkSync('../../libs/mine', join(folder, 'node_modules/@gp/mine'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(file: string, content: unknown): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), JSON.stringify(content));
}

function billWith(packages: object) {
  write('package-lock.json', { packages });
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, '.configs/sbom.mjs'), folder], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('the bill of materials', () => {
  it('the bill of materials names every installed package once, with the lock file’s entry, and no workspace', () => {
    const { components } = JSON.parse(billWith(locked()).stdout) as Bill;
    expect(components.map(({ purl }) => purl)).toEqual([
      'pkg:npm/%40scope/a@1.0.0',
      'pkg:npm/b@1.0.0',
      'pkg:npm/b@2.0.0',
    ]);
    expect(components[0]).toMatchObject({
      group: '@scope',
      name: 'a',
      licenses: [{ expression: 'MIT' }],
      hashes: [{ alg: 'SHA-512', content: '000102' }],
    });
  });

  it('the bill of materials states which package needs which version, as Node would find it', () => {
    const { dependencies } = JSON.parse(billWith(locked()).stdout) as Bill;
    expect(Object.fromEntries(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))).toEqual({
      'pkg:npm/all@3.0.0': ['pkg:npm/%40scope/a@1.0.0', 'pkg:npm/b@1.0.0'],
      'pkg:npm/%40scope/a@1.0.0': ['pkg:npm/b@2.0.0'],
      'pkg:npm/b@1.0.0': [],
      'pkg:npm/b@2.0.0': [],
    });
  });

  it('the bill of materials is the same text for the same packages', () => {
    expect(billWith(locked()).stdout).toBe(billWith(locked()).stdout);
  });

  it.each([
    ['does not have', { ...locked(), 'node_modules/@scope/a': undefined }],
    ['has for development only', locked({ 'node_modules/@scope/a': { dev: true } })],
    ['has in another version', locked({ 'node_modules/@scope/a': { version: '1.0.1' } })],
  ])(
    'the bill of materials is refused when an installed package is one that the lock %s',
    (_how, packages) => {
      const { status, stdout, stderr } = billWith(packages);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toContain('node_modules/@scope/a is not what the lock has for production');
    },
  );
});
