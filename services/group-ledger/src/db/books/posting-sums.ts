import { statement, type Queryable } from '@gp/pg';
import { columnNames, IS_SUMMED, LEGS, QUARTER, SUM_OF_LEGS } from './leg-sums.ts';
import { addSettled } from './summed-postings.ts';

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

/**
 * Adds the next postings to posting_sums, those that were made at least `settledMs` ago. Call it in a transaction. Returns
 * whether there may be more.
 */
export function addPostings(tx: Queryable, settledMs: number): Promise<boolean> {
  return addSettled(tx, 'posting_sums', {
    settledMs,
    add: (from, until) => tx.query(addSums, [from, until]),
  });
}
