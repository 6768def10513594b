import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { claimRange, eventually } from '@gp/testing';
import { newGroup, openApi, payer, paySlot } from '../../support/journey.ts';
import { findMerchant, readStackFile, root, type StackFile } from '../../support/stack.ts';
import type { Bench } from '../bench.ts';
import { round, type Figure } from '../ratios.ts';

const run = promisify(execFile);
const PATIENCE_MS = 600_000;
const MOST_SECONDS = { cold: 60, warm: 6 };

/**
 * P16: from `git clone` to the first paid group, with the installation that `npm start` makes; and the same from
 * `npm start` in a folder that was started before. Installing needs the package registry.
 */
export async function measureStart({ say }: Bench): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gp-start-'));
  const range = await claimRange();
  const clone = atClone(join(folder, 'clone'), range.base);
  try {
    const cold = await secondsOf(async () => {
      await run('git', ['clone', '--quiet', root, clone.folder]);
      await clone.startAndPay();
    });
    await clone.stop();
    say(`${round(cold, 1)} s from the clone`);
    const warm = await secondsOf(() => clone.startAndPay());
    say(`${round(warm, 1)} s from the next start`);
    return [
      {
        id: 'P16',
        what: 'clone, installation and start to the first paid group / the next start to a paid group',
        value: `${round(cold, 0)} s / ${round(warm, 1)} s`,
        goal: `≤${MOST_SECONDS.cold} / ≤${MOST_SECONDS.warm} s`,
        reached: cold <= MOST_SECONDS.cold && warm <= MOST_SECONDS.warm,
        detail: { cold_seconds: round(cold, 1), warm_seconds: round(warm, 1) },
      },
    ];
  } finally {
    await clone.stop();
    range.claim.close();
    await rm(folder, { recursive: true, force: true });
  }
}

type Clone = {
  readonly folder: string;
  /** Starts the platform and pays a group of one slot by card. Rejects when the start ends before. */
  startAndPay(): Promise<void>;
  stop(): Promise<void>;
};

function atClone(folder: string, portBase: number): Clone {
  const env = { PATH: foreignPath(), HOME: process.env['HOME'], GP_PORT_BASE: String(portBase) };
  let started: ChildProcess | undefined;
  return {
    folder,
    async startAndPay() {
      const since = Date.now();
      started = spawn('npm', ['start'], { cwd: folder, env, stdio: 'ignore' });
      const [status] = await Promise.race([once(started, 'exit'), pay(folder, since).then(() => ['paid'])]);
      if (status !== 'paid') throw new Error(`npm start ended with ${status}`);
    },
    async stop() {
      if (started === undefined || started.exitCode !== null) return;
      const ended = once(started, 'exit');
      await run('npm', ['stop'], { cwd: folder, env });
      await ended;
    },
  };
}

/** The search path without what this project installed for itself. */
function foreignPath(): string {
  const places = (process.env['PATH'] ?? '').split(delimiter);
  return places.filter((place) => !place.startsWith(root)).join(delimiter);
}

async function pay(folder: string, since: number): Promise<void> {
  const stack = await eventually(() => readFresh(folder, since), { withinMs: PATIENCE_MS });
  const api = openApi(stack, findMerchant(stack, 'gateway_a'));
  const group = await newGroup(api, 1);
  await paySlot(stack, api, group, 0, payer('first'));
  await api.becomes(group.group_payment.id, ['paid']);
}

/** The description of a platform that was started since then. */
async function readFresh(folder: string, since: number): Promise<StackFile | undefined> {
  const file = join(folder, '.data/stack.json');
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: 0 }));
  return mtimeMs < since ? undefined : readStackFile(join(folder, '.data'));
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}
