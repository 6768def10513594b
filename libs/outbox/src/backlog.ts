import { statement, type Db, type Queryable } from '@gp/pg';
import { metrics } from '@gp/telemetry';

/** Messages not yet sent, and how long the oldest of them has waited (0 when there is none). */
export type Backlog = { readonly messages: number; readonly oldestAgeSeconds: number };

// Index: outbox_unsent, which holds exactly these rows.
const measure = statement<{ messages: number; age: number }>(
  'outbox-backlog',
  `select count(*)::float8 as messages,
     coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as age
   from outbox where sent_at is null`,
);

/** Measures the messages that the relay has still to publish. */
export async function backlog(q: Queryable): Promise<Backlog> {
  const [row] = await q.query(measure);
  return { messages: row?.messages ?? 0, oldestAgeSeconds: Math.max(0, row?.age ?? 0) };
}

/** Defines the gauges of the backlog; call it once per process. A scrape finds NaN while the database is away. */
export function measureBacklog(db: Db): void {
  const unknown: Backlog = { messages: NaN, oldestAgeSeconds: NaN };
  const ask = metrics.cached(() => backlog(db));
  const read = (): Promise<Backlog> => ask().catch(() => unknown);
  metrics.gauge({
    name: 'gp_outbox_backlog_messages',
    help: 'Messages written and not yet published',
    unit: 'messages',
    collect: async (gauge) => gauge.set((await read()).messages),
  });
  metrics.gauge({
    name: 'gp_outbox_oldest_age_seconds',
    help: 'How long the oldest unpublished message has waited',
    unit: 'seconds',
    collect: async (gauge) => gauge.set((await read()).oldestAgeSeconds),
  });
}
