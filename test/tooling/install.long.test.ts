import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { childEnv, claimRange, eventually } from '@gp/testing';
import { listProjectFiles, project } from './project-files.ts';

const run = promisify(execFile);
/** A download of everything where npm's cache is empty, on a busy machine. */
const MANY_MINUTES = 15 * 60_000;

let folder: string;
let clone: string;
let env: NodeJS.ProcessEnv;
let range: Awaited<ReturnType<typeof claimRange>>;
let started: ChildProcess | undefined;

/** A copy of the project's files, and a machine that has Node and npm and none of our packages. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'group-payments-clone-'));
  clone = join(folder, 'clone');
  for (const file of await listProjectFiles()) {
    await mkdir(dirname(join(clone, file)), { recursive: true });
    await cp(join(project, file), join(clone, file));
  }
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await symlink(process.execPath, join(bin, 'node'));
  await symlink(join(project, 'node_modules/npm/bin/npm-cli.js'), join(bin, 'npm'));
  range = await claimRange();
  env = {
    ...childEnv(),
    PATH: `${bin}:/usr/bin:/bin`,
    HOME: process.env['HOME'],
    GP_PORT_BASE: String(range.base),
    npm_config_prefer_offline: 'true',
  };
});
afterAll(async () => {
  if (started?.pid !== undefined && started.exitCode === null) process.kill(started.pid, 'SIGKILL');
  range.claim.close();
  await rm(folder, { recursive: true, force: true });
});

const npm = (...args: readonly string[]) =>
  run('npm', args, { cwd: clone, env, maxBuffer: 64 * 1024 ** 2, timeout: MANY_MINUTES });

/** Starts the product as a person does; resolves when it is up. */
async function start(): Promise<void> {
  const child = spawn('npm', ['start'], { cwd: clone, env, stdio: ['ignore', 'pipe', 'pipe'] });
  started = child;
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await eventually(
    () => {
      if (child.exitCode !== null) throw new Error(`npm start ended: ${said}`);
      return said.includes('Group Payments is up') || undefined;
    },
    { withinMs: MANY_MINUTES },
  );
}

async function stop(): Promise<void> {
  const ended = started ? once(started, 'exit') : undefined;
  await npm('stop');
  await ended;
}

/** Kills a command for development, with all it started, as soon as npm has made `folder`. */
async function interrupt(folder: string): Promise<void> {
  const child = spawn('npm', ['run', 'boundaries'], { cwd: clone, env, stdio: 'ignore', detached: true });
  const ended = once(child, 'exit');
  await eventually(() => stat(join(clone, folder)).catch(() => undefined), { withinMs: MANY_MINUTES });
  process.kill(-Number(child.pid), 'SIGKILL');
  await ended;
  await expect(stat(join(clone, 'node_modules/.bin/depcruise'))).rejects.toThrow('ENOENT');
}

/** Megabytes of all folders `node_modules`. */
async function measure(): Promise<number> {
  const { stdout } = await run('sh', [
    '-c',
    'find "$0" -name node_modules -prune -print0 | du -cm --files0-from=- | tail -n 1',
    clone,
  ]);
  return Number.parseInt(stdout, 10);
}

describe('a fresh clone', () => {
  it(
    'runs the product and the demo with at most 450 MB of node_modules, and adds the other packages for development, also after an interruption',
    async () => {
      await start();
      const answer = await fetch(`http://127.0.0.1:${range.base}/v1/group-payments`);
      expect(answer.status).toBe(401);
      const { stdout } = await npm('run', 'demo');
      expect(stdout).toContain('Done');
      await stop();
      expect(await measure()).toBeLessThanOrEqual(450);

      const kept = join(clone, 'node_modules/react/package.json');
      const before = await stat(kept);
      await interrupt('node_modules/typescript');
      await npm('run', 'boundaries');
      expect((await stat(kept)).ino).toBe(before.ino);
      await start();
      await stop();
      expect((await stat(kept)).ino).toBe(before.ino);
    },
    MANY_MINUTES,
  );
});
