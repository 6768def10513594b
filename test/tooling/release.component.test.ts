import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { project, readProjectFile } from './project-files.ts';

const NEXT = '7.8.9';
let folder: string;
let clone: string;
let start: string;

const git = (...args: string[]): string =>
  execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8' }).trim();
const read = (file: string): string => readFileSync(join(clone, file), 'utf8');
const list = (...args: string[]): readonly string[] =>
  execFileSync('git', ['-c', `safe.directory=${project}`, 'ls-files', ...args], {
    cwd: project,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(Boolean);

/** What the copy's `.ci/run` does; the project's own takes an hour. */
function setCheck(lines: string): void {
  writeFileSync(join(clone, '.ci/run'), `#!/bin/sh\n${lines}\n`);
  chmodSync(join(clone, '.ci/run'), 0o755);
}

function commit(): void {
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '--message', 'work');
}

function release(version: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['.configs/release.mjs', version], {
    cwd: clone,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'));
  clone = join(folder, 'clone');
  const from = ['-c', `safe.directory=${project}`, '-c', `safe.directory=${project}.git`];
  execFileSync('git', [...from, 'clone', '--quiet', '--no-tags', project, clone]);
  for (const [name, value] of [
    ['name', 'test'],
    ['email', 'test@example.com'],
  ] as const)
    git('config', `user.${name}`, value);
  for (const file of ['.configs/release.mjs', 'CHANGELOG.md', 'docs/upgrading.md'])
    copyFileSync(join(project, file), join(clone, file));
  setCheck('exit 0');
  commit();
  start = git('rev-parse', 'HEAD');
});
beforeEach(() => {
  git('reset', '--quiet', '--hard', start);
  git('clean', '--quiet', '-d', '--force');
  spawnSync('git', ['-C', clone, 'tag', '--delete', `v${NEXT}`]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a release', () => {
  it('a release moves the version of every workspace, the lock file and the chart, and tags one commit (Y9)', () => {
    expect(release(NEXT)).toMatchObject({ status: 0, stdout: expect.stringContaining(`v${NEXT}`) });
    expect(git('rev-list', '--count', `${start}..v${NEXT}`)).toBe('1');
    expect(git('status', '--porcelain')).toBe('');
    const manifests = git('ls-files', 'package.json', '*/package.json').split('\n');
    expect(manifests.length).toBeGreaterThan(30);
    const packages = manifests.map((file) => JSON.parse(read(file)) as Record<string, unknown>);
    expect(new Set(packages.map(({ version }) => version))).toEqual(new Set([NEXT]));
    expect(manifests.map(read).join('')).not.toMatch(/"@gp\/[\w-]+": "(?!7\.8\.9")/);
    expect(parse(read('charts/group-payments/Chart.yaml'))).toMatchObject({
      version: NEXT,
      appVersion: NEXT,
    });
  });

  it('the lock file of a release is the one that npm writes for its manifests (Y9)', () => {
    release(NEXT);
    const before = read('package-lock.json');
    const npm = join(project, 'node_modules/npm/bin/npm-cli.js');
    const args = [npm, 'install', '--package-lock-only', '--offline', '--ignore-scripts', '--no-audit'];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: clone, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    expect(read('package-lock.json')).toBe(before);
  });

  it('a release dates what was unreleased, and leaves room for what follows (Y9)', () => {
    const [, entries = ''] = /^## \[Unreleased\]\n([^]*?)^## /m.exec(read('CHANGELOG.md')) ?? [];
    release(NEXT);
    const day = new Date(Number(git('log', '-1', '--format=%ct')) * 1000).toISOString().slice(0, 10);
    expect(read('CHANGELOG.md')).toContain(`## [Unreleased]\n\n## [${NEXT}] - ${day}\n${entries}`);
  });

  it('a release names the steps that an upgrade to it needs, and leaves room for those of the next (Y9)', () => {
    const [, steps = ''] = /^## Unreleased\n([^]*)/m.exec(read('docs/upgrading.md')) ?? [];
    expect(steps.trim()).not.toBe('');
    release(NEXT);
    expect(read('docs/upgrading.md')).toContain(
      `## Unreleased\n\nNothing is to be done.\n\n## To ${NEXT}\n${steps}`,
    );
  });
});

const edit = (file: string, change: (text: string) => string): void =>
  writeFileSync(join(clone, file), change(read(file)));
const empty = (text: string): string => text.replace(/(## \[Unreleased\]\n)[^]*?(?=^## )/m, '$1\n');

it.each<[string, string, () => void, RegExp]>([
  ['a version that is none', '7.8', () => undefined, /usage/],
  ['an older version', '0.9.0', () => undefined, /0\.9\.0 is not newer than/],
  ['the present version', 'present', () => undefined, /is not newer than/],
  ['an uncommitted change', NEXT, () => edit('README.md', (text) => `${text}x`), /README\.md/],
  ['a tag that exists', NEXT, () => git('tag', `v${NEXT}`), /the tag v7\.8\.9 exists/],
  ['no entry', NEXT, () => (edit('CHANGELOG.md', empty), commit()), /has no entry/],
  ['a failed check', NEXT, () => (setCheck('exit 1'), commit()), /\.ci\/run has failed/],
  ['a check that left files', NEXT, () => (setCheck('touch left'), commit()), /left changes:\n\?\? left/],
])('a release with %s is refused and changes nothing (Y9)', (_what, version, prepare, reason) => {
  prepare();
  const before = [git('rev-parse', 'HEAD'), git('diff'), git('tag')];
  const present = (JSON.parse(read('package.json')) as { version: string }).version;
  const { status, stderr } = release(version === 'present' ? present : version);
  expect([status, stderr]).toEqual([expect.any(Number), expect.stringMatching(reason)]);
  expect(status).not.toBe(0);
  expect([git('rev-parse', 'HEAD'), git('diff'), git('tag')]).toEqual(before);
});

it('workspaces, chart and newest dated changes have one version (Y9)', async () => {
  const manifests = list('package.json', '*/package.json');
  const versions = await Promise.all(
    manifests.map(async (file) => (JSON.parse(await readProjectFile(file)) as { version: string }).version),
  );
  const chart = parse(await readProjectFile('charts/group-payments/Chart.yaml')) as Record<string, string>;
  const [, newest] =
    /^## \[(\d[^\]]*)\] - \d{4}-\d\d-\d\d$/m.exec(await readProjectFile('CHANGELOG.md')) ?? [];
  expect(new Set([...versions, chart['version'], chart['appVersion']])).toEqual(new Set([newest]));
});
