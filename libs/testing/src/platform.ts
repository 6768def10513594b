import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { openStack, type Stack } from '@gp/stack';
import { childEnv } from './child-env.ts';
import { claimRange } from './claim-range.ts';
import { createDataFolder } from './data-folder.ts';

/** A whole platform with its own ports and data. */
export type Platform = {
  readonly opened: Stack;
  /** The folder of its data, its log and its `stack.json`. */
  readonly dataDir: string;
  /** Stops everything and removes the data, unless `keepData` is set. */
  close(o?: { keepData: boolean }): Promise<void>;
};

const root = resolve(import.meta.dirname, '../../..');

/**
 * Starts a platform with these settings (`GP_SET_<NAME>` sets one of all its services); rejects when one is not ready. It
 * continues with the data of an earlier one that it finds in `dataDir`; without a folder it has new data in a new one.
 */
export async function openPlatform(
  settings: NodeJS.ProcessEnv = {},
  o: { readonly dataDir?: string } = {},
): Promise<Platform> {
  const dataDir = o.dataDir ?? (await createDataFolder());
  const range = await claimRange();
  const env = childEnv({ GP_PORT_BASE: String(range.base), GP_DATA_DIR: dataDir, ...settings });
  const opened = await openStack({ root, env }).catch((error: unknown) => {
    range.claim.close();
    throw error;
  });
  return {
    opened,
    dataDir,
    async close({ keepData } = { keepData: false }) {
      await opened.stop();
      range.claim.close();
      if (!keepData) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
