import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStack, type Stack } from '@gp/stack';
import { childEnv, claimRange } from '@gp/testing';
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
  const settings = childEnv({ GP_PORT_BASE: String(range.base), GP_DATA_DIR: dataDir, ...env });
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
