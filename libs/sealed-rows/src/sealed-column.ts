import { unprepared, type Db } from '@gp/pg';
import type { Sealed } from '@gp/seal';

/** A column of sealed bytes, described by the service that owns the table. */
export type SealedColumn = {
  readonly table: string;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** The column with the name of the key that opens the bytes. */
  readonly keyId: string;
  /** The column with the bytes; rows in which it is null are left out. */
  readonly bytes: string;
  /** Returns the identity that a row was sealed with, from its key columns as Postgres writes them as text. */
  readonly identity: (key: readonly string[]) => string;
};

/** A row; `bytes` is null where the caller did not ask for rows under this key. */
export type SealedRow = {
  readonly key: readonly string[];
  readonly keyId: string;
  readonly bytes: Buffer | null;
};

/** Small enough that a page of 10 kB responses is a few megabytes. */
export const PAGE = 500;

/**
 * Returns the rows after `after` in the order of the primary key, with the bytes of those sealed under one of `keyIds`.
 * The key is read as text, because a Date would lose the microseconds of a time.
 */
export async function readPage(
  db: Db,
  column: SealedColumn,
  o: { readonly after: readonly string[] | undefined; readonly keyIds: readonly string[] },
): Promise<SealedRow[]> {
  const { table, key, keyId, bytes } = column;
  const behind = o.after && `and (${key.join(', ')}) > (${key.map((_, at) => `$${at + 2}`).join(', ')})`;
  const page = unprepared<{ key: string[]; key_id: string; bytes: Buffer | null }>(
    `select array[${key.map((name) => `${name}::text`).join(', ')}] as key, ${keyId} as key_id,
       case when ${keyId} = any($1::text[]) then ${bytes} end as bytes
     from ${table} where ${bytes} is not null ${behind ?? ''}
     order by ${key.join(', ')} limit ${PAGE}`,
  );
  const rows = await db.query(page, [o.keyIds, ...(o.after ?? [])]);
  return rows.map((row) => ({ key: row.key, keyId: row.key_id, bytes: row.bytes }));
}

/** Replaces the bytes of a row that still has the ones that were read; returns whether it had. */
export async function replaceBytes(
  db: Db,
  column: SealedColumn,
  o: { readonly key: readonly string[]; readonly was: Sealed; readonly sealed: Sealed },
): Promise<boolean> {
  const { table, key, keyId, bytes } = column;
  const isRow = key.map((name, at) => `${name} = $${at + 5}`).join(' and ');
  const replace = unprepared(
    `update ${table} set ${keyId} = $1, ${bytes} = $2 where ${keyId} = $3 and ${bytes} = $4 and ${isRow} returning 1`,
  );
  const values = [o.sealed.keyId, o.sealed.bytes, o.was.keyId, o.was.bytes, ...o.key];
  return (await db.query(replace, values)).length > 0;
}
