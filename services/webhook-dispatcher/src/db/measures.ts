import { statement, type Db, type Queryable } from '@gp/pg';
import { metrics } from '@gp/telemetry';

/** Beyond this an exact figure changes nothing for whoever scales by it, and counting costs. */
const COUNTED_AT_MOST = 100_000;

// Reads only the heads of due lanes in deliveries_open_by_lane. What is being sent is no longer due.
const measure = statement<{ due: bigint; oldest_seconds: number }>(
  'webhooks.measure-due',
  `with due as (
     select d.due_at from lanes l
     join endpoints e on e.id = l.endpoint_id and e.enabled
     join deliveries d on d.endpoint_id = l.endpoint_id and d.status in ('pending', 'sending')
       and d.due_at <= clock_timestamp()
     where l.due_at <= clock_timestamp()
     limit $1
   )
   select count(*) as due, coalesce(extract(epoch from clock_timestamp() - min(due_at)), 0)::float8 as oldest_seconds
   from due`,
);

export type DueNow = { readonly count: number; readonly oldestSeconds: number };

export async function findDueNow(db: Queryable): Promise<DueNow> {
  const [row] = await db.query(measure, [COUNTED_AT_MOST]);
  return { count: Number(row?.due ?? 0n), oldestSeconds: row?.oldest_seconds ?? 0 };
}

/** Exports how much is due and for how long, for alerts and autoscaling; NaN while the database is away. */
export function observeDue(db: Db): void {
  const read = (): Promise<DueNow> => findDueNow(db).catch(() => ({ count: NaN, oldestSeconds: NaN }));
  metrics.gauge({
    name: 'gp_webhook_due_deliveries',
    help: 'Deliveries due now and not being sent, those of failing endpoints included; counted up to 100,000',
    unit: 'deliveries',
    collect: async (gauge) => gauge.set((await read()).count),
  });
  metrics.gauge({
    name: 'gp_webhook_oldest_due_seconds',
    help: 'How long the delivery that is due for longest has been due',
    unit: 'seconds',
    collect: async (gauge) => gauge.set((await read()).oldestSeconds),
  });
}
