import { askDesk } from './desk.ts';
import type { Loan } from './platform-desk.ts';

/** A loan of a platform that test files of this run share; call `giveBack` when the file has ended. */
export type SharedPlatform = Loan & { giveBack(): Promise<void> };

/** Borrows the platform with these settings from the run; its merchants are this file's alone. */
export async function sharePlatform(
  settings: Readonly<Record<string, string>> = {},
): Promise<SharedPlatform> {
  const loan = await askDesk<Loan>('/platform/lend', settings);
  return {
    ...loan,
    giveBack: async () => {
      await askDesk('/platform/give-back', { id: loan.id });
    },
  };
}
