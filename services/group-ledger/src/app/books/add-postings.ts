import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { addMovements } from '../../db/books/movements.ts';
import { addPostings as addSums } from '../../db/books/posting-sums.ts';

/**
 * A posting is added once no other with a smaller id can be committed any more. Ids are made before the transaction that writes
 * them, which ends within seconds; the rest is for processes whose clocks differ.
 */
const SETTLED_MS = 10 * 60 * 1000;

/** Adds postings to the sums that balances and statements are read from, and to the movements that are listed. */
export function addPostings(db: Db, settledMs = SETTLED_MS): Loop {
  return {
    name: 'add-postings',
    idleMs: 60 * 1000,
    runOnce: async () => {
      const hasSums = await db.transaction((tx) => addSums(tx, settledMs));
      const hasMovements = await db.transaction((tx) => addMovements(tx, settledMs));
      return hasSums || hasMovements ? 'busy' : 'idle';
    },
  };
}
