import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { addPostings as addRows } from '../../db/books/posting-sums.ts';

/**
 * A posting is added once no other with a smaller id can be committed any more. Ids are made before the transaction that writes
 * them, which ends within seconds; the rest is for processes whose clocks differ.
 */
const SETTLED_MS = 10 * 60 * 1000;

/** Adds postings to the sums that balances and statements are read from. */
export function addPostings(db: Db, settledMs = SETTLED_MS): Loop {
  return {
    name: 'add-postings',
    idleMs: 60 * 1000,
    runOnce: async () => ((await db.transaction((tx) => addRows(tx, settledMs))) ? 'busy' : 'idle'),
  };
}
