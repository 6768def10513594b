import type { Bootstrap } from './bootstrap.ts';

/** Returns the title of the document: the bill, and whom it is paid to. */
export function pageTitle({ group, payee }: Pick<Bootstrap, 'group' | 'payee'>): string {
  return payee === null ? group.name : `${group.name} · ${payee}`;
}
