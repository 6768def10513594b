import { askTestServers } from './ask-test-servers.ts';
import type { Loan, PlatformWish } from './platform-pool.ts';

/** A loan of a platform that test files of this run share; call `giveBack` when the file has ended. */
export type SharedPlatform = Loan & { giveBack(): Promise<void> };

/** Borrows the platform with these settings from the run; its merchants are this file's alone. */
export async function sharePlatform(wish: PlatformWish): Promise<SharedPlatform> {
  const loan = await askTestServers<Loan>('/platform/lend', wish);
  return {
    ...loan,
    giveBack: async () => {
      await askTestServers('/platform/give-back', { id: loan.id });
    },
  };
}
