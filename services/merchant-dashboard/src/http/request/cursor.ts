import { Uuid, type ListPosition } from '@gp/contracts';
import { validationError } from '@gp/errors';
import Type from '@gp/bundled/typebox';
import { closed } from '../../app/input/input.ts';
import { reader } from '../../app/input/reader.ts';

/** Postgres accepts no year 0, and no offset of 16 hours or more. */
const created_at = Type.String({
  format: 'date-time',
  pattern: '^(?!0000).*(?:Z|[+-](?:0[0-9]|1[0-5]):[0-5][0-9])$',
});
const read = reader(Type.Object({ created_at, id: Uuid }, closed));

/**
 * Returns a position in a list as pages pass it back. It grants no access: every list is read for a merchant and a
 * mode.
 */
export function formatCursor(next: ListPosition | null): string | null {
  return next && Buffer.from(JSON.stringify(next)).toString('base64url');
}

/** Parses the position of a cursor; throws `validation_error` when it is not one of ours. */
export function parseCursor(cursor: string): ListPosition {
  try {
    return read(JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown);
  } catch {
    throw validationError('cursor', 'is not one of ours');
  }
}

/**
 * Yields the rows of a list page by page, from its beginning or from a place in it. The next page is asked for when the
 * reader comes to it, at the place where the one before has ended; a page may have no rows and still not be the last.
 */
export async function* readRows<Page extends { readonly next: ListPosition | null }, Row>(
  ask: (from: { after?: ListPosition }) => Promise<Page>,
  toRows: (page: Page) => readonly Row[] | Promise<readonly Row[]>,
  start: ListPosition | null = null,
): AsyncGenerator<readonly Row[]> {
  let place = start;
  do {
    const page: Page = await ask(place ? { after: place } : {});
    yield await toRows(page);
    place = page.next;
  } while (place);
}

/** Returns the options of a list request: `after` only where a cursor was given. */
export function toListOptions(cursor: string | undefined): { after?: ListPosition } {
  return cursor === undefined ? {} : { after: parseCursor(cursor) };
}
