import type { RefundView } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';
import { between } from '../fail-points.ts';

// Locks one row. A view of an older version of the group changes nothing. A refund that the gateway reversed later stays
// settled: its parts show the reversal.
export const putRefund = `
  insert into refunds (refund_id, merchant_id, mode, group_id, version, group_state, parts, settled_at)
  values ($1, $2, $3, $4, $5, $6, $7, case when $8 then clock_timestamp() end)
  on conflict (refund_id) do update
    set version = excluded.version, group_state = excluded.group_state, parts = excluded.parts,
        settled_at = coalesce(refunds.settled_at, excluded.settled_at)
    where refunds.version < excluded.version`;

const saveProgressStatement = statement('refund.note-progress', putRefund);

// Index: refunds_by_age. The requests of a refund this old are deleted already.
const reap = statement<{ reaped: bigint }>(
  'refund.reap-refunds',
  `with old as (
     select refund_id from refunds
     where first_seen_at < clock_timestamp() - make_interval(days => $1) and settled_at is not null
     order by first_seen_at limit 1000
   ), gone as (delete from refunds r using old where r.refund_id = old.refund_id returning 1)
   select count(*) as reaped from gone`,
);

/** Returns the parameters of `putRefund`, in order. */
export function toRefundRow(view: RefundView): unknown[] {
  const { refund_id, merchant_id, mode, group_id, version, group_state, parts, is_settled } = view;
  return [refund_id, merchant_id, mode, group_id, version, group_state, JSON.stringify(parts), is_settled];
}

/** Stores the ledger's view of a refund, unless a newer one is stored. */
export async function saveProgress(db: Queryable, view: RefundView): Promise<void> {
  await between('progress', () => db.query(saveProgressStatement, toRefundRow(view)));
}

/** Deletes up to 1,000 refunds that ended and are older than this; returns how many. */
export async function deleteRefunds(db: Queryable, days: number): Promise<number> {
  const [row] = await db.query(reap, [days]);
  return Number(row?.reaped ?? 0n);
}
