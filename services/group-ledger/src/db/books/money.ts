import type { PspCode } from '@gp/gateway-registry';
import { statement, unprepared, type Db } from '@gp/pg';
import type { DisputeRow, LegSumRow } from '../../domain/index.ts';
import { DISPUTES } from './disputes.ts';
import { columnNames, IS_SUMMED, LEGS, QUARTER, SUM_OF_LEGS, type LegSumColumns } from './leg-sums.ts';
import { findEndId, oneSnapshot } from './summed-postings.ts';

type Scope = { readonly merchantId: string; readonly mode: string };
type OfDay = { readonly psp_code: PspCode; readonly currency: string; readonly bucket: number };

// Reads the primary key of posting_sums, and for the postings of the last minutes that of postings. Unprepared, so that the
// planner always sees how few postings are behind the end of the sums: the plan that a prepared statement gets from its sixth
// run on reads all of them, 2 s for 2,000,000.
export const sumsStatement = unprepared<OfDay & LegSumColumns>(
  `select psp_code, currency, width_bucket(quarter, $3::timestamptz[]) as bucket,
          ${columnNames.map((name) => `sum(${name})::bigint as ${name}`).join(', ')}
   from (
     select psp_code, currency, quarter, ${columnNames.join(', ')} from posting_sums
     where merchant_id = $1 and mode = $2 and quarter < $4
     union all
     select i.psp_code, g.currency, ${QUARTER}, ${SUM_OF_LEGS}
     from ${LEGS}
     where p.id >= $5 and p.posted_at < $4 and g.merchant_id = $1 and g.mode = $2 and ${IS_SUMMED}
     group by 1, 2, 3
   ) parts
   group by 1, 2, 3`,
);
const disputes = statement<OfDay & { disputed_minor: bigint }>(
  'ledger.sum-disputes-by-day',
  `select i.psp_code, g.currency, width_bucket(d.at, $3::timestamptz[]) as bucket,
          sum(i.amount_captured - i.amount_refunded)::bigint as disputed_minor
   from ${DISPUTES} and g.merchant_id = $1 and g.mode = $2 and d.at < $4
   group by 1, 2, 3`,
);

/**
 * Returns a merchant's movements of money by gateway, currency and bucket: 0 is the time before the first bound, n the time
 * from the n-th bound on. What is later than the last bound is left out.
 */
export function sumMoney(
  db: Db,
  { merchantId, mode }: Scope,
  bounds: readonly string[],
): Promise<{ sums: LegSumRow[]; disputes: DisputeRow[] }> {
  return db.transaction(async (tx) => {
    await tx.query(oneSnapshot);
    const values = [merchantId, mode, bounds, bounds.at(-1)];
    const rows = await tx.query(sumsStatement, [...values, await findEndId(tx, 'posting_sums')]);
    const disputed = await tx.query(disputes, values);
    return {
      sums: rows.map((row) => ({ ...toDay(row), ...toLegSums(row) })),
      disputes: disputed.map((row) => ({ ...toDay(row), disputedMinor: row.disputed_minor })),
    };
  });
}

const toDay = ({ psp_code, currency, bucket }: OfDay) => ({ pspCode: psp_code, currency, bucket });

const toLegSums = (row: LegSumColumns) => ({
  heldIn: row.held_in,
  heldOut: row.held_out,
  capturedIn: row.captured_in,
  capturedOut: row.captured_out,
  refundedIn: row.refunded_in,
  refundedOut: row.refunded_out,
  tipsIn: row.tips_in,
  tipsOut: row.tips_out,
});
