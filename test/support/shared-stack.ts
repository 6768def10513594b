import { eventually, sharePlatform, type PlatformWish } from '@gp/testing';
import { askDatabase } from './ledger.ts';
import { findMerchant, readStackFile, type Merchant, type StackFile } from './stack.ts';

/** A platform that several test files use at the same time. */
export type SharedStack = {
  /** Where its interfaces are; the merchants are this file's alone. */
  readonly stack: StackFile;
  /** The folder of its `stack.json`. */
  readonly dataDir: string;
  /** The merchant of the sample shop, which all files have in common. */
  readonly shopkeeper: Merchant;
  close(): Promise<void>;
};

/** Settings with which deliveries are tried again, and gateways' books are believed, soon. */
export const shortWaits = {
  GP_SET_RETRY_LADDER_MS: '300,300,300',
  // The sandbox shows every payment at once, so a settle window of a second suffices.
  GP_SET_SETTLE_WINDOW_MS: '1000',
};

/**
 * Borrows a platform for one test file, with one new merchant for each entry: the code of its gateway, `multi` for all of
 * them, null for none. The file sees what its own merchants have; it kills no process that another file with these settings
 * needs, and what it asks of a database or of the gateways' books it asks about its own groups.
 */
export async function openSharedStack(wish: PlatformWish): Promise<SharedStack> {
  const { dataDir, merchants, giveBack } = await sharePlatform(wish);
  const stack = await readStackFile(dataDir);
  await eventually(() => knowsNames(stack, merchants));
  return {
    stack: { ...stack, merchants: [...merchants] },
    dataDir,
    shopkeeper: findMerchant(stack, 'multi'),
    close: giveBack,
  };
}

/** Returns true when the checkout, which learns names over the bus, shows those of these merchants on its pages. */
async function knowsNames(stack: StackFile, merchants: readonly Merchant[]): Promise<true | undefined> {
  const wanted = merchants.map(({ merchant_id }) => merchant_id);
  const sql = `select from allowed_origins
    where merchant_id = any($1) and mode = 'test' and settings->>'business_name' <> ''`;
  return (await askDatabase(stack, 'checkout', sql, [wanted])).length === wanted.length || undefined;
}
