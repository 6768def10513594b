import { AppError } from '@gp/errors';
import { isUnavailable, type Db } from '@gp/pg';
import { insertGroups, type CreatedAt, type NewGroupRow } from '../../db/group/create-groups.ts';
import type { NewNames } from './new-names.ts';

/** A group as it was stored and when; `createdAt` is null when it was not. */
export type Inserted = { readonly row: NewGroupRow; readonly createdAt: CreatedAt };

/** Names are 40 random bits a millisecond: a second collision in a row is no coincidence. */
const MAX_RENAMES = 3;

/**
 * Inserts groups in one statement. Where one of them cannot be stored the batch is halved until that one is alone:
 * every group gets its own result, and an invalid one costs the others a few round trips, nothing else.
 */
export async function insertInBatch(
  o: { db: Db; names: NewNames },
  rows: readonly NewGroupRow[],
): Promise<(Inserted | Error)[]> {
  try {
    const createdAt = await insertGroups(o.db, rows);
    return rows.map((row, index) => ({ row, createdAt: createdAt[index] ?? null }));
  } catch (error) {
    if (isUnavailable(error)) throw error;
    const [only] = rows;
    if (only && rows.length === 1) return [await insertAlone(o, only, error)];
    const half = Math.ceil(rows.length / 2);
    const first = await insertInBatch(o, rows.slice(0, half));
    return [...first, ...(await insertInBatch(o, rows.slice(half)))];
  }
}

/** The order id is ours, so a taken one is replaced without an error to the merchant (Q20). */
async function insertAlone(
  o: { db: Db; names: NewNames },
  given: NewGroupRow,
  refusal: unknown,
): Promise<Inserted | Error> {
  let reason = refusal;
  for (let renames = 0; renames < MAX_RENAMES && isNameTaken(reason); renames++) {
    const row = { ...given, group: { ...given.group, ...o.names(Date.now()) } };
    try {
      const [createdAt = null] = await insertGroups(o.db, [row]);
      return { row, createdAt };
    } catch (error) {
      reason = error;
    }
  }
  return reason instanceof Error ? reason : new Error('a group could not be stored', { cause: reason });
}

function isNameTaken(error: unknown): boolean {
  return error instanceof AppError && error.code === 'duplicate_merchant_order_id';
}
