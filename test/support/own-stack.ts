import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStack, portsFrom, type Stack } from '@gp/stack';
import { readStackFile, root, type StackFile } from './stack.ts';

export type OwnStack = {
  readonly stack: StackFile;
  readonly opened: Stack;
  readonly dataDir: string;
  /** Stops everything and removes the data. */
  close(): Promise<void>;
};

/** A whole platform for one test file: its own ports, its own data, gone afterwards. */
export async function openOwnStack(env: NodeJS.ProcessEnv = {}): Promise<OwnStack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gp-stack-'));
  const settings = {
    PATH: process.env['PATH'],
    GP_PORT_BASE: String(await freeBase()),
    GP_DATA_DIR: dataDir,
    ...env,
  };
  const opened = await openStack({ root, env: settings });
  return {
    stack: await readStackFile(dataDir),
    opened,
    dataDir,
    async close() {
      await opened.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A port base whose ports are all free: below the range that outgoing connections are given theirs from. */
async function freeBase(): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const base = randomInt(120, 290) * 100;
    const ports = portsFrom({ GP_PORT_BASE: String(base) });
    const all = Object.values(ports).filter((port) => typeof port === 'number');
    const metrics = Array.from({ length: 12 }, (_, index) => ports.metrics(index));
    if ((await Promise.all([...all, ...metrics].map(isFree))).every(Boolean)) return base;
  }
  throw new Error('no free range of ports found');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
