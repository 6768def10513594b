import { AppError, notFound } from '@gp/errors';
import type { Queryable } from '@gp/pg';
import * as rows from '../../db/saved-filters.ts';
import type { FilterOwner, SavedFilterRow } from '../../db/saved-filters.ts';
import type { WebParts } from '../ports.ts';

export type { SavedFilterRow };

/** More than a menu can show at a glance. */
export const MOST_SAVED_FILTERS = 30;

type Db = Pick<WebParts, 'db'>;
type NewFilter = Pick<SavedFilterRow, 'list' | 'name' | 'filters'>;

/** Returns a member's filters of a list, by name. */
export function listSavedFilters({ db }: Db, owner: FilterOwner, list: string): Promise<SavedFilterRow[]> {
  return rows.listSavedFilters(db, owner, list);
}

/**
 * Saves filters of a list under a name. Rejects with `conflict` when the member has as many of this list as one may have, or
 * one with this name.
 */
export function saveFilter({ db }: Db): (owner: FilterOwner, filter: NewFilter) => Promise<SavedFilterRow> {
  return (owner, filter) =>
    db.transaction(async (tx) => {
      const known = await readLocked(tx, owner, filter.list);
      if (known.length >= MOST_SAVED_FILTERS)
        throw new AppError('conflict', {
          message: `there are ${MOST_SAVED_FILTERS} saved filters of this list already`,
        });
      assertFree(known, filter);
      const saved = await rows.insertSavedFilter(tx, owner, filter);
      if (!saved) throw new Error('an inserted filter was not returned');
      return saved;
    });
}

/** Renames a member's filter. Rejects with `conflict` when another one of the same list has this name. */
export function renameFilter({
  db,
}: Db): (owner: FilterOwner, change: { id: string; name: string }) => Promise<SavedFilterRow> {
  return (owner, { id, name }) =>
    db.transaction(async (tx) => {
      const found = await rows.findSavedFilter(tx, owner, id);
      if (!found) throw missing();
      assertFree(await readLocked(tx, owner, found.list), { id, name });
      const renamed = await rows.renameSavedFilter(tx, owner, { id, name });
      if (!renamed) throw missing();
      return renamed;
    });
}

/** Deletes a member's filter. */
export async function deleteFilter({ db }: Db, owner: FilterOwner, id: string): Promise<void> {
  if (!(await rows.deleteSavedFilter(db, owner, id))) throw missing();
}

async function readLocked(tx: Queryable, owner: FilterOwner, list: string): Promise<SavedFilterRow[]> {
  await rows.lockFilterOwner(tx, owner);
  return rows.listSavedFilters(tx, owner, list);
}

function assertFree(known: readonly SavedFilterRow[], wanted: { id?: string; name: string }): void {
  if (known.some(({ id, name }) => id !== wanted.id && name === wanted.name))
    throw new AppError('conflict', {
      message: 'another saved filter of this list has this name',
      param: 'name',
    });
}

const missing = () => notFound('saved filter');
