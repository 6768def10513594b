import type { ListPosition } from '@gp/contracts';

/** Rows read for one page: a filter that few rows pass ends a page early instead of reading a whole table. */
export const WINDOW = 2_000;

/** Columns that a list's statement adds to each row: whether it passes the filter, and its place. */
export type Seen = { readonly created_at: Date; readonly is_wanted: boolean; readonly nth: bigint };
export type Page<Row> = { readonly rows: readonly Row[]; readonly next: ListPosition | null };

/** Before every row of a list that is read newest first. */
const FIRST: ListPosition = { created_at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

export function toStart(after: ListPosition | undefined): [string, string] {
  const { created_at, id } = after ?? FIRST;
  return [created_at, id];
}

/**
 * The page that begins a window: the first `limit` rows of it that are wanted. `rows` are those and one more, where
 * there is one, and the window's last row in any case.
 */
export function cutPage<Row extends Seen>(
  rows: readonly Row[],
  limit: number,
  readId: (row: Row) => string,
): Page<Row> {
  const wanted = rows.filter((row) => row.is_wanted);
  const page = wanted.slice(0, limit);
  const last = rows.at(-1);
  const isCut = wanted.length > limit;
  const end = isCut ? page.at(-1) : Number(last?.nth ?? 0n) === WINDOW ? last : undefined;
  return { rows: page, next: end ? { created_at: end.created_at.toISOString(), id: readId(end) } : null };
}
