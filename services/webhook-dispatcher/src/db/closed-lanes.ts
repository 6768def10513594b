import { statement, type Db, type Queryable } from '@gp/pg';

/** One step settles so many deliveries: short enough to hold no lock for long. */
const STEP = 2_000;

// A lane of a disabled or deleted endpoint that was woken: by that change, by intake, or by a retry falling due.
const lockClosedLane = statement<{ endpoint_id: string; is_deleted: boolean }>(
  'webhooks.lock-closed-lane',
  `select l.endpoint_id, e.deleted_at is not null as is_deleted
   from lanes l join endpoints e on e.id = l.endpoint_id
   where l.due_at <= clock_timestamp() and not e.enabled
   order by l.served_at limit 1
   for update of l skip locked`,
);

// A delivery that was acknowledged before a merchant requested it again becomes acknowledged again. A delivery in
// progress is left to its worker; once its lease has run out, it is waiting again. Rows whose outcome is being recorded
// are skipped: that statement may be waiting for this lane.
const settle = statement<{ settled: bigint }>(
  'webhooks.settle-closed-lane',
  `with waiting as (
     select event_id, endpoint_id from deliveries
     where endpoint_id = $1
       and (status = 'pending' or (status = 'sending' and due_at <= clock_timestamp()) or ($2 and status = 'held'))
     order by event_id limit $3
     for update skip locked
   ), settled as (
     update deliveries d
     set status = case when $2 then 'cancelled' when d.resend_from = 'delivered' then 'delivered' else 'held' end,
         due_at = null, claim_id = null, claimed_at = null, resend_from = null, resend_due_at = null,
         settled_at = case when $2 or d.resend_from = 'delivered' then clock_timestamp() end
     from waiting w where d.event_id = w.event_id and d.endpoint_id = w.endpoint_id
     returning 1
   ) select count(*) as settled from settled`,
);

const park = statement(
  'webhooks.park-lane',
  `update lanes set served_at = clock_timestamp(), due_at = case when $2 then clock_timestamp() else coalesce(
     (select min(d.due_at) from deliveries d where d.endpoint_id = $1 and d.status in ('pending', 'sending')),
     'infinity') end
   where endpoint_id = $1`,
);

// Index: lanes_by_due_at. A lane without a delivery that waits or is under way is due at infinity.
const findWaiting = statement<{ is_waiting: boolean }>(
  'webhooks.find-waiting-lane',
  `select exists (select from lanes where due_at < 'infinity') as is_waiting`,
);

/** Whether a delivery waits or is under way in any lane, be it due later. */
export async function isAnyLaneWaiting(db: Queryable): Promise<boolean> {
  return (await db.query(findWaiting))[0]?.is_waiting === true;
}

/**
 * Settles what waits in one lane whose endpoint is closed: held when it is disabled, cancelled when it is deleted.
 * Answers undefined when no lane needed it, else how many deliveries it settled.
 */
export function settleClosedLane(db: Db): Promise<number | undefined> {
  return db.transaction(async (tx) => {
    const [lane] = await tx.query(lockClosedLane);
    if (!lane) return undefined;
    const [row] = await tx.query(settle, [lane.endpoint_id, lane.is_deleted, STEP]);
    const settled = Number(row?.settled ?? 0n);
    await tx.query(park, [lane.endpoint_id, settled === STEP]);
    return settled;
  });
}
