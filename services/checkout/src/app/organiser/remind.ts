import { AppError } from '@gp/errors';
import { countRemindable, type OrganiserParts } from './open-organiser-page.ts';

/** What became of a reminder: how many payers get a mail, and how many another one would reach now. */
export type Reminded = { readonly reminded: number; readonly remindable: number };

/** Reminds the payers of a group at the wish of its organiser; rejects with `not_found` and where the right is missing. */
export function remind(parts: Omit<OrganiserParts, 'findBrand'>): (token: string) => Promise<Reminded> {
  return async (token) => {
    const found = await parts.calls.findOrganised(token);
    if (!found.may.includes('remind')) throw new AppError('insufficient_scope');
    const reminded = (await parts.reminders?.send(found)) ?? 0;
    return { reminded, remindable: await countRemindable(parts, found) };
  };
}
