import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { childEnv, claimRange, eventually } from '@gp/testing';
import { areFree } from '../src/servers/port.ts';
import { isAlive } from '../src/servers/processes.ts';
import { findStarter } from '../src/starter.ts';

const root = resolve(import.meta.dirname, '../../..');
const WITHIN_MS = 120_000;

type Started = {
  readonly npm: ChildProcess;
  readonly starter: number;
  readonly pids: readonly number[];
  /** What it has printed. */
  readonly said: string;
};

let dataDir: string;
let range: Awaited<ReturnType<typeof claimRange>>;
let last: Started | undefined;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'group-payments-starter-'));
  range = await claimRange();
});
afterAll(async () => {
  if (last) process.kill(last.npm.pid ?? 0, 'SIGKILL');
  range.claim.close();
  await rm(dataDir, { recursive: true, force: true });
});

const runNpm = (...args: string[]): ChildProcess =>
  spawn('npm', args, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: childEnv({ GP_DATA_DIR: dataDir, GP_PORT_BASE: String(range.base), HOME: process.env['HOME'] }),
  });

/** Starts the product as a person does. Resolves with all its processes when it prints that it is up. */
async function start(): Promise<Started> {
  const npm = runNpm('start');
  let said = '';
  npm.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await eventually(
    () => {
      if (npm.exitCode !== null) throw new Error(`npm start ended: ${said}`);
      return said.includes('Group Payments is up') || undefined;
    },
    { withinMs: WITHIN_MS },
  );
  const { control } = JSON.parse(await readFile(join(dataDir, 'stack.json'), 'utf8')) as { control: string };
  const { processes } = (await (await fetch(`${control}/processes`)).json()) as {
    processes: { pid: number }[];
  };
  const starter = (await findStarter(dataDir)) ?? 0;
  last = { npm, starter, pids: [starter, npm.pid ?? 0, ...processes.map(({ pid }) => pid)], said };
  return last;
}

/** Resolves when no process of the product is left; names those that remain. */
async function allGone({ pids }: Started): Promise<void> {
  await eventually(
    async () => {
      const alive = await Promise.all(pids.map(isAlive));
      const left = pids.filter((_, index) => alive[index]);
      if (left.length > 0) throw new Error(`still there: ${left.join(', ')}`);
      return true;
    },
    { withinMs: WITHIN_MS },
  );
  last = undefined;
}

const isDescribed = (): Promise<boolean> =>
  readFile(join(dataDir, 'stack.json')).then(
    () => true,
    () => false,
  );

describe('no process of `npm start` survives', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
    'no process survives %s of npm',
    async (signal) => {
      const started = await start();
      expect(started.pids.length).toBeGreaterThan(14);
      process.kill(started.npm.pid ?? 0, signal);
      await allGone(started);
      expect([await isDescribed(), await findStarter(dataDir)]).toEqual([false, undefined]);
    },
  );

  it('no process survives SIGHUP of its group, as when the terminal goes', async () => {
    const started = await start();
    process.kill(-(started.npm.pid ?? 0), 'SIGHUP');
    await allGone(started);
    expect(await isDescribed()).toBe(false);
  });

  it('no process survives SIGKILL of the process that started the others', async () => {
    const started = await start();
    process.kill(started.starter, 'SIGKILL');
    await allGone(started);
    expect(await findStarter(dataDir)).toBeUndefined();
  });

  it('no process survives SIGINT while it starts', async () => {
    const npm = runNpm('start');
    const starter = await eventually(() => findStarter(dataDir), { withinMs: WITHIN_MS });
    const started = { npm, starter, pids: [starter, npm.pid ?? 0], said: '' };
    last = started;
    process.kill(starter, 'SIGINT');
    await allGone(started);
    expect(await isDescribed()).toBe(false);
  });

  it('a second start names free ports and the command for them, and the printed command stops the first alone', async () => {
    const started = await start();
    const other = await mkdtemp(join(tmpdir(), 'group-payments-second-'));
    const second = spawn('npm', ['start'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: childEnv({ GP_DATA_DIR: other, GP_PORT_BASE: String(range.base), HOME: process.env['HOME'] }),
    });
    let reported = '';
    second.stderr.on('data', (chunk: Buffer) => (reported += chunk.toString()));
    const [code] = (await once(second, 'close')) as [number | null];
    await rm(other, { recursive: true, force: true });
    expect(code).toBe(1);
    expect(reported).toMatch(/Port \d+ on 127\.0\.0\.1, wanted for .+, is already in use\./);
    const [, base, folder] = /GP_PORT_BASE=(\d+) GP_DATA_DIR=(\S+) npm start/.exec(reported) ?? [];
    expect(folder).toBe(`.data-${base}`);
    expect(await areFree([Number(base), Number(base) + 1, Number(base) + 2])).toBe(true);
    expect(await isDescribed()).toBe(true);
    const [, command = ''] = /Ctrl-C or "(.+)" stops it\./.exec(started.said) ?? [];
    expect(command).toBe(`GP_DATA_DIR=${dataDir} npm stop`);
    const stopped = spawn('sh', ['-c', command], {
      cwd: root,
      stdio: 'ignore',
      env: childEnv({ HOME: process.env['HOME'] }),
    });
    expect(await once(stopped, 'close')).toEqual([0, null]);
    await allGone(started);
  });

  it('no process survives `npm stop`, which reports what it did, and a second one that there is nothing to stop', async () => {
    const started = await start();
    const stop = async () => {
      const npm = runNpm('stop');
      let said = '';
      npm.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
      const [code] = (await once(npm, 'close')) as [number | null];
      return { code, said };
    };
    const first = await stop();
    expect(first.said).toContain(`Stopped process ${started.starter} and all it had started`);
    await allGone(started);
    expect(await isDescribed()).toBe(false);
    const second = await stop();
    expect(second.said).toContain(`No stack of ${dataDir} is running.`);
    expect([first.code, second.code]).toEqual([0, 0]);
  });
});
