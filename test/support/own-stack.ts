import { openPlatform, type Platform } from '@gp/testing';
import { readStackFile, type StackFile } from './stack.ts';

/** A platform of one file's own, and where its interfaces are. */
export type OwnStack = Platform & { readonly stack: StackFile };

/** A whole platform for one test file that kills its processes or wants settings or data of its own; gone afterwards. */
export async function openOwnStack(
  settings: NodeJS.ProcessEnv = {},
  o: { readonly dataDir?: string } = {},
): Promise<OwnStack> {
  const platform = await openPlatform(settings, o);
  return { ...platform, stack: await readStackFile(platform.dataDir) };
}
