import { statement, type Db, type Queryable } from '@gp/pg';
import { metrics, type Level } from '@gp/telemetry';

/** Counting stops here: autoscaling needs no larger figure, and counting costs. */
const COUNTED_AT_MOST = 100_000;

// Reads only the heads of due lanes in deliveries_open_by_lane. A delivery that is being sent is no longer due.
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

/** An operator needs the worst lanes only; a series for every endpoint would overload Prometheus. */
const LANES_SHOWN = 10;

const measureLanes = statement<{ endpoint_id: string; due: bigint }>(
  'webhooks.measure-due-lanes',
  `with due as (
     select d.endpoint_id from lanes l
     join endpoints e on e.id = l.endpoint_id and e.enabled
     join deliveries d on d.endpoint_id = l.endpoint_id and d.status in ('pending', 'sending')
       and d.due_at <= clock_timestamp()
     where l.due_at <= clock_timestamp()
     limit $1
   )
   select endpoint_id, count(*) as due from due group by endpoint_id order by due desc limit ${LANES_SHOWN}`,
);

export type DueNow = { readonly count: number; readonly oldestSeconds: number };

export async function findDueNow(db: Queryable): Promise<DueNow> {
  const [row] = await db.query(measure, [COUNTED_AT_MOST]);
  return { count: Number(row?.due ?? 0n), oldestSeconds: row?.oldest_seconds ?? 0 };
}

const LANES_FRESH_MS = 10_000;
/** Sets zero, because a missing series would look like a failed measurement. */
const NONE = [{ endpoint_id: 'none' }];

/**
 * Exports how much is due and for how long, for alerts and autoscaling, and where most of it waits. NaN, and no lanes,
 * while the database is away.
 */
export function observeDue(
  db: Db,
  lanes: {
    readonly fullest: (most: number) => readonly { readonly endpointId: string; readonly count: number }[];
  },
): void {
  const ask = metrics.cached(() => findDueNow(db));
  const read = (): Promise<DueNow> => ask().catch(() => ({ count: NaN, oldestSeconds: NaN }));
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
  metrics.levels({
    name: 'gp_webhook_lane_due_deliveries',
    help: 'Deliveries due now, for the ten endpoints that have most',
    unit: 'deliveries',
    labels: ['endpoint_id'],
    zero: NONE,
    read: metrics.cached(() => findDueLanes(db), LANES_FRESH_MS),
  });
  metrics.levels({
    name: 'gp_webhook_lane_in_flight_deliveries',
    help: 'Requests under way, for the ten endpoints that have most in this process',
    unit: 'deliveries',
    labels: ['endpoint_id'],
    zero: NONE,
    read: async () =>
      lanes.fullest(LANES_SHOWN).map(({ endpointId, count }) => ({
        labels: { endpoint_id: endpointId },
        value: count,
      })),
  });
}

/** The lanes in which most is due, fullest first. */
export async function findDueLanes(db: Queryable): Promise<Level<'endpoint_id'>[]> {
  const rows = await db.query(measureLanes, [COUNTED_AT_MOST]);
  return rows.map(({ endpoint_id, due }) => ({ labels: { endpoint_id }, value: Number(due) }));
}
