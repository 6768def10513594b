import { statement, type Queryable } from '@gp/pg';
import type { OwnWork, Shift } from '@gp/test-clock';

// Retries are kept by real time: a test clock that goes forward brings those of its merchant nearer. Leases of claims are
// left alone. Locks as when outcomes are recorded: deliveries in key order, then lanes.
const shiftRetries = statement(
  'webhooks.shift-retries',
  `with waiting as (
     select d.event_id, d.endpoint_id from deliveries d join endpoints e on e.id = d.endpoint_id
     where e.merchant_id = $1 and e.mode = 'test' and d.status = 'pending' and d.due_at > clock_timestamp()
     order by d.event_id, d.endpoint_id for update of d
   ), moved as (
     update deliveries d set due_at = d.due_at - make_interval(secs => $2::float8 / 1000)
     from waiting w where d.event_id = w.event_id and d.endpoint_id = w.endpoint_id
     returning d.endpoint_id, d.due_at
   ), lane as (
     select l.endpoint_id, m.due_at from lanes l
     join (select endpoint_id, min(due_at) as due_at from moved group by endpoint_id) m on m.endpoint_id = l.endpoint_id
     order by l.endpoint_id for update of l
   )
   update lanes l set due_at = least(l.due_at, lane.due_at) from lane where l.endpoint_id = lane.endpoint_id`,
);

// Deliveries to endpoints that do not answer are no work of the clock: they wait for their lane, in real time.
const findWork = statement<{ is_due: boolean; was_due: boolean; due_in_ms: number | null }>(
  'webhooks.find-test-work',
  `select coalesce(bool_or(d.status = 'sending' or d.due_at <= clock_timestamp()), false) as is_due,
          coalesce(bool_or(coalesce(d.claimed_at, d.due_at) <= $2), false) as was_due,
          (extract(epoch from min(d.due_at) filter (where d.status = 'pending') - clock_timestamp()) * 1000)::float8
            as due_in_ms
   from endpoints e join deliveries d on d.endpoint_id = e.id and d.status in ('pending', 'sending')
   where e.merchant_id = $1 and e.mode = 'test' and e.enabled and e.deleted_at is null
     and e.id <> all ($3::uuid[])`,
);

/** Brings the merchant's waiting test deliveries nearer. */
export async function shiftTestRetries(tx: Queryable, { merchantId, byMs }: Shift): Promise<void> {
  await tx.query(shiftRetries, [merchantId, byMs]);
}

/** Returns what is left to send to the merchant's test endpoints without those that do not answer, and when more will be. */
export async function findTestDeliveries(
  db: Queryable,
  o: { readonly merchantId: string; readonly asOf: Date; readonly unresponsive: readonly string[] },
): Promise<OwnWork> {
  const [row] = await db.query(findWork, [o.merchantId, o.asOf, o.unresponsive]);
  return { isDue: row?.is_due ?? false, wasDue: row?.was_due ?? false, dueInMs: row?.due_in_ms ?? null };
}
