import { statement, unprepared, type Queryable } from '@gp/pg';
import { UUID } from 'uuidv7';

/** What is made from postings a step at a time; `<name>_end` has the first posting that is still to be added. */
export type MadeFromPostings = 'posting_sums' | 'movements';

/** Postings of one step, which takes 0.4 s on a busy machine. */
const STEP = 5_000;

/** Makes all statements of a transaction read what was committed before its first one. */
export const oneSnapshot = unprepared('set transaction isolation level repeatable read, read only');

// Ids are UUIDs of version 7, so the primary key of postings has them in the order of time.
const nextEnd = statement<{ id: string }>(
  'ledger.next-end-of-postings',
  `select id from postings where id >= $1 and id < $2 order by id offset ${STEP} limit 1`,
);
const statements = { posting_sums: endStatements('posting_sums'), movements: endStatements('movements') };

function endStatements(made: MadeFromPostings) {
  return {
    find: statement<{ end_id: string }>(`ledger.end-of-${made}`, `select end_id from ${made}_end`),
    // One process adds at a time; the others have nothing to do.
    lock: statement<{ end_id: string; now: Date }>(
      `ledger.lock-end-of-${made}`,
      `select end_id, clock_timestamp() as now from ${made}_end for update skip locked`,
    ),
    move: statement(`ledger.move-end-of-${made}`, `update ${made}_end set end_id = $1`),
  };
}

/** Returns the id of the first posting that was not added. */
export async function findEndId(tx: Queryable, made: MadeFromPostings): Promise<string> {
  const [end] = await tx.query(statements[made].find);
  if (!end) throw new Error(`${made}_end has no row`);
  return end.end_id;
}

/**
 * Adds the next postings, those that were made at least `settledMs` ago, by `add`, which gets the first id and the one behind the
 * last. Call it in a transaction. Returns whether there may be more.
 */
export async function addSettled(
  tx: Queryable,
  made: MadeFromPostings,
  { settledMs, add }: { settledMs: number; add: (from: string, until: string) => Promise<unknown> },
): Promise<boolean> {
  const [end] = await tx.query(statements[made].lock);
  if (!end) return false;
  const lastId = firstIdAt(end.now.getTime() - settledMs);
  if (lastId <= end.end_id) return false;
  const [next] = await tx.query(nextEnd, [end.end_id, lastId]);
  const nextId = next?.id ?? lastId;
  await add(end.end_id, nextId);
  await tx.query(statements[made].move, [nextId]);
  return next !== undefined;
}

/** Returns the least UUID of version 7 of a millisecond. */
function firstIdAt(ms: number): string {
  return UUID.fromFieldsV7(ms, 0, 0, 0).toString();
}
