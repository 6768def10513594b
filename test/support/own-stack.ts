import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStack, portsFrom, type Stack } from '@gp/stack';
import { readStackFile, root, type StackFile } from './stack.ts';

export type OwnStack = {
  readonly stack: StackFile;
  readonly opened: Stack;
  readonly dataDir: string;
  /** Stops everything and removes the data, unless somebody wants to look into it. */
  close(o?: { keepData: boolean }): Promise<void>;
};

/** A whole platform for one test file: its own ports, its own data, gone afterwards. */
export async function openOwnStack(env: NodeJS.ProcessEnv = {}): Promise<OwnStack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gp-stack-'));
  const range = await claimRange();
  const settings = {
    PATH: process.env['PATH'],
    GP_PORT_BASE: String(range.base),
    GP_DATA_DIR: dataDir,
    ...env,
  };
  const opened = await openStack({ root, env: settings }).catch((error: unknown) => {
    range.claim.close();
    throw error;
  });
  return {
    stack: await readStackFile(dataDir),
    opened,
    dataDir,
    async close({ keepData } = { keepData: false }) {
      await opened.stop();
      range.claim.close();
      if (!keepData) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Ports of a range that no stack uses: whoever listens on this one has claimed the range. */
const CLAIM = 99;

/**
 * A range of free ports, claimed against stacks that are being opened at the same moment, here or in another process. All
 * its ports lie below those that single servers of tests are given.
 */
async function claimRange(): Promise<{ base: number; claim: Server }> {
  for (let tries = 0; tries < 100; tries++) {
    const base = randomInt(120, 177) * 100;
    const claim = await listenOn(base + CLAIM);
    if (!claim) continue;
    const ports = portsFrom({ GP_PORT_BASE: String(base) });
    const all = Object.values(ports).filter((port) => typeof port === 'number');
    const metrics = Array.from({ length: 16 }, (_, index) => ports.metrics(index));
    const replicas = Array.from({ length: 18 }, (_, index) => Object.values(ports.replica(index))).flat();
    const isAllFree = (await Promise.all([...all, ...metrics, ...replicas].map(isFree))).every(Boolean);
    if (isAllFree) return { base, claim };
    claim.close();
  }
  throw new Error('no free range of ports found');
}

function listenOn(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.unref();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

async function isFree(port: number): Promise<boolean> {
  const probe = await listenOn(port);
  if (!probe) return false;
  return new Promise((resolve) => probe.close(() => resolve(true)));
}
