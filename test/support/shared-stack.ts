import { sharePlatform } from '@gp/testing';
import { findMerchant, readStackFile, type Merchant, type StackFile } from './stack.ts';

/** A platform that several test files use at the same time. */
export type SharedStack = {
  /** Where its interfaces are; the merchants are this file's alone. */
  readonly stack: StackFile;
  /** The merchant of the sample shop, which all files have in common. */
  readonly shopkeeper: Merchant;
  close(): Promise<void>;
};

/**
 * Borrows a platform with these settings for one test file. The file sees what its own merchants have; it kills no process,
 * and what it asks of a database or of the gateways' books it asks about its own groups.
 */
export async function openSharedStack(settings: Readonly<Record<string, string>> = {}): Promise<SharedStack> {
  const { dataDir, merchants, giveBack } = await sharePlatform(settings);
  const stack = await readStackFile(dataDir);
  return {
    stack: { ...stack, merchants: [...merchants] },
    shopkeeper: findMerchant(stack, 'multi'),
    close: giveBack,
  };
}
