import { statement, type Queryable } from '@gp/pg';
import { UUID } from 'uuidv7';
import { columnNames, IS_SUMMED, LEGS, QUARTER, SUM_OF_LEGS } from './leg-sums.ts';

/** Postings of one step, which takes 0.4 s on a busy machine. */
const STEP = 5_000;

// One process adds at a time; the others have nothing to do.
const lockEnd = statement<{ end_id: string; now: Date }>(
  'ledger.lock-end-of-posting-sums',
  'select end_id, clock_timestamp() as now from posting_sums_end for update skip locked',
);
// Ids are UUIDs of version 7, so the primary key of postings has them in the order of time.
const nextEnd = statement<{ id: string }>(
  'ledger.next-end-of-posting-sums',
  `select id from postings where id >= $1 and id < $2 order by id offset ${STEP} limit 1`,
);
const addSums = statement(
  'ledger.add-posting-sums',
  `insert into posting_sums as s (merchant_id, mode, quarter, psp_code, currency, ${columnNames.join(', ')})
   select g.merchant_id, g.mode, ${QUARTER}, i.psp_code, g.currency, ${SUM_OF_LEGS}
   from ${LEGS}
   where p.id >= $1 and p.id < $2 and ${IS_SUMMED}
   group by 1, 2, 3, 4, 5
   on conflict (merchant_id, mode, quarter, psp_code, currency) do update
     set ${columnNames.map((name) => `${name} = s.${name} + excluded.${name}`).join(', ')}`,
);
const moveEnd = statement('ledger.move-end-of-posting-sums', 'update posting_sums_end set end_id = $1');

/**
 * Adds the next postings to posting_sums, those that were made at least `settledMs` ago. Call it in a transaction. Returns
 * whether there may be more.
 */
export async function addPostings(tx: Queryable, settledMs: number): Promise<boolean> {
  const [end] = await tx.query(lockEnd);
  if (!end) return false;
  const lastId = firstIdAt(end.now.getTime() - settledMs);
  if (lastId <= end.end_id) return false;
  const [next] = await tx.query(nextEnd, [end.end_id, lastId]);
  const nextId = next?.id ?? lastId;
  await tx.query(addSums, [end.end_id, nextId]);
  await tx.query(moveEnd, [nextId]);
  return next !== undefined;
}

/** Returns the least UUID of version 7 of a millisecond. */
function firstIdAt(ms: number): string {
  return UUID.fromFieldsV7(ms, 0, 0, 0).toString();
}
