import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { project } from './project-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gp-clients-'));
  await mkdir(join(folder, 'bin'));
  // A Node that can run nothing of the project, as an old one.
  await writeFile(join(folder, 'bin/node'), '#!/bin/sh\necho "this Node is too old" >&2\nexit 1\n');
  await chmod(join(folder, 'bin/node'), 0o755);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Ended = { readonly code?: number; readonly stdout: string; readonly stderr: string };

/** Says `npm run clients` on a machine whose own Node is of no use. */
const clients = (...words: readonly string[]): Promise<Ended> =>
  promisify(execFile)('sh', [join(project, '.configs/run.sh'), 'clients', ...words], {
    env: { ...process.env, PATH: `${join(folder, 'bin')}:/usr/local/bin:/usr/bin:/bin` },
  }).catch((error: unknown) => error as Ended);

describe('npm run clients', () => {
  it.each([
    ['typescript', '@group-payments/client', 'npm install '],
    ['cli', '@group-payments/cli', 'npm install --global '],
  ])(
    'npm run clients -- %s writes the package under an old Node, says where, and writes it again',
    async (word, name, command) => {
      const dist = join(folder, 'made');
      for (let times = 0; times < 2; times++) {
        const { code, stdout, stderr } = await clients(word, dist);
        expect({ code, stderr }).toEqual({ code: undefined, stderr: '' });
        expect(stdout).toContain(`Wrote ${dist}. To use it, in your own project:\n\n  ${command}${dist}\n`);
        expect(JSON.parse(await readFile(join(dist, 'package.json'), 'utf8'))).toMatchObject({ name });
      }
    },
    120_000,
  );

  it.each(['typescript', 'cli', 'python', 'go'])(
    'npm run clients -- %s leaves a folder alone that has something else in it',
    async (word) => {
      const home = join(folder, 'home');
      await mkdir(home);
      await writeFile(join(home, 'README.md'), '# Mine\n');
      const refused = await clients(word, home);
      expect(refused).toMatchObject({
        code: 64,
        stdout: '',
        stderr: expect.stringContaining('something else') as unknown,
      });
      expect(await readdir(home)).toEqual(['README.md']);
    },
  );

  it('npm run clients with an unknown word or too many says what there is', async () => {
    for (const words of [[], ['ruby'], ['constructor'], ['go', 'a', 'b']])
      expect(await clients(...words)).toMatchObject({
        code: 64,
        stderr: 'usage: npm run clients -- typescript|cli|python|go [folder]\n',
      });
  });
});
