import type { Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

export type SavedFilterRow = {
  readonly id: string;
  readonly list: string;
  readonly name: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly created_at: Date;
};
/** Whose filters, and of which mode. */
export type FilterOwner = { readonly userId: string; readonly mode: Mode };

const COLUMNS = 'id, list, name, filters, created_at';
const list = statement<SavedFilterRow>(
  'dashboard.list-saved-filters',
  `select ${COLUMNS} from saved_filters where user_id = $1 and mode = $2 and list = $3 order by name, id`,
);
// Of two filters that are saved at the same moment, the second one counts the first.
const lock = statement('dashboard.lock-filter-owner', 'select from users where id = $1 for no key update');
const insert = statement<SavedFilterRow>(
  'dashboard.insert-saved-filter',
  `insert into saved_filters (user_id, mode, list, name, filters) values ($1, $2, $3, $4, $5) returning ${COLUMNS}`,
);
const rename = statement<SavedFilterRow>(
  'dashboard.rename-saved-filter',
  `update saved_filters set name = $4 where user_id = $1 and mode = $2 and id = $3 returning ${COLUMNS}`,
);
const find = statement<SavedFilterRow>(
  'dashboard.find-saved-filter',
  `select ${COLUMNS} from saved_filters where user_id = $1 and mode = $2 and id = $3`,
);
const remove = statement<{ id: string }>(
  'dashboard.delete-saved-filter',
  'delete from saved_filters where user_id = $1 and mode = $2 and id = $3 returning id',
);

/** Returns a user's filters of a list, by name. */
export function listSavedFilters(
  db: Queryable,
  { userId, mode }: FilterOwner,
  of: string,
): Promise<SavedFilterRow[]> {
  return db.query(list, [userId, mode, of]);
}

/** Locks a user until the transaction ends, so that the user's filters are changed one at a time. */
export async function lockFilterOwner(tx: Queryable, { userId }: FilterOwner): Promise<void> {
  await tx.query(lock, [userId]);
}

export async function insertSavedFilter(
  tx: Queryable,
  { userId, mode }: FilterOwner,
  filter: Pick<SavedFilterRow, 'list' | 'name' | 'filters'>,
): Promise<SavedFilterRow | undefined> {
  const values = [userId, mode, filter.list, filter.name, JSON.stringify(filter.filters)];
  return (await tx.query(insert, values))[0];
}

export async function findSavedFilter(
  db: Queryable,
  { userId, mode }: FilterOwner,
  id: string,
): Promise<SavedFilterRow | undefined> {
  return (await db.query(find, [userId, mode, id]))[0];
}

/** Renames a user's filter; returns undefined when the user has none with this id in the mode. */
export async function renameSavedFilter(
  tx: Queryable,
  { userId, mode }: FilterOwner,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<SavedFilterRow | undefined> {
  return (await tx.query(rename, [userId, mode, id, name]))[0];
}

/** Deletes a user's filter; returns whether there was one. */
export async function deleteSavedFilter(
  db: Queryable,
  { userId, mode }: FilterOwner,
  id: string,
): Promise<boolean> {
  return (await db.query(remove, [userId, mode, id])).length > 0;
}
