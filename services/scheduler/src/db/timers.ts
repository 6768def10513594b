import type { TimerInstruction } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

export type DueTimer = {
  readonly owner: string;
  readonly key: string;
  readonly revision: bigint;
  readonly kind: string;
  readonly due_at: Date;
  readonly data: Record<string, unknown>;
  readonly merchant_id: string;
  readonly mode: 'test' | 'live';
  /** The trace of the message that set it. */
  readonly traceparent: string | null;
};

/** An instruction, and the trace of the message that brought it. */
export type Asked = TimerInstruction & { readonly traceparent?: string | undefined };

// Only a greater revision replaces the row of a key, so the statement is its own inbox: a message that arrives twice, or
// after a newer one, changes nothing. A batch may hold one key several times: the newest counts,
// and rows go in key order so that two replicas cannot deadlock.
const applyInstructions = statement<{ taken: bigint }>(
  'scheduler.take-instructions',
  `with incoming as (
     select distinct on (owner, key) *
     from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::timestamptz[], $7::jsonb[], $8::text[], $9::text[],
                 $10::text[])
       as i (owner, key, revision, state, kind, due_at, data, merchant_id, mode, traceparent)
     order by owner, key, revision desc
   ), written as (
     insert into timers as t (owner, key, revision, state, kind, due_at, data, merchant_id, mode, traceparent, settled_at)
     select owner, key, revision, state, kind, due_at, data, merchant_id, mode, traceparent,
            case when state = 'cancelled' then clock_timestamp() end
     from incoming
     on conflict (owner, key) do update
       set revision = excluded.revision, state = excluded.state, kind = excluded.kind, due_at = excluded.due_at,
           data = excluded.data, traceparent = excluded.traceparent, settled_at = excluded.settled_at
       where excluded.revision > t.revision and t.merchant_id = excluded.merchant_id and t.mode = excluded.mode
     returning 1
   ) select count(*) as taken from written`,
);

// Row locks with skip locked let any number of replicas share the scan; reads timers_armed_by_due_at. A due time is the
// merchant's: where a test clock is ahead, the merchant's test timers up to there are due as well, and no others. That
// part reads timers_armed_of_a_test_merchant, once for each clock that is ahead.
const fireDue = statement<DueTimer>(
  'scheduler.fire-due',
  `with now as materialized (
     select clock_timestamp() as instant
   ), due_by_the_world as (
     select owner, key from timers
     where state = 'armed' and due_at <= (select instant from now)
     order by due_at limit $1
     for update skip locked
   ), due_by_a_clock as (
     select t.owner, t.key from test_clocks c cross join lateral (
       select owner, key from timers
       where merchant_id = c.merchant_id and mode = 'test' and state = 'armed'
         and due_at > (select instant from now)
         and due_at <= (select instant from now) + make_interval(secs => c.released_ms::float8 / 1000)
       order by due_at limit $1
       for update skip locked
     ) t where c.released_ms > 0
   ), due as (
     select * from due_by_the_world union all select * from due_by_a_clock
   )
   update timers t set state = 'fired', settled_at = clock_timestamp()
   from due where t.owner = due.owner and t.key = due.key
   returning t.owner, t.key, t.revision, t.kind, t.due_at, t.data, t.merchant_id, t.mode, t.traceparent`,
);

// Each part is the first entry of an index: timers_armed_by_due_at, and timers_armed_of_a_test_merchant for each clock
// that is ahead.
const nextDue = statement<{ wait_ms: number | null }>(
  'scheduler.next-due',
  `select (extract(epoch from least(
       (select min(due_at) from timers where state = 'armed'),
       (select min(t.due_at - make_interval(secs => c.released_ms::float8 / 1000))
        from test_clocks c cross join lateral (
          select min(due_at) as due_at from timers
          where merchant_id = c.merchant_id and mode = 'test' and state = 'armed') t
        where c.released_ms > 0)) - clock_timestamp()) * 1000)::float8 as wait_ms`,
);

const reapSettled = statement<{ reaped: bigint }>(
  'scheduler.reap-settled',
  `with old as (
     select owner, key from timers
     where state <> 'armed' and settled_at < clock_timestamp() - make_interval(days => $1)
     limit 1000 for update skip locked
   ), gone as (
     delete from timers t using old where t.owner = old.owner and t.key = old.key returning 1
   ) select count(*) as reaped from gone`,
);

// Index: timers_have_one_row_per_key.
const armedByKey = statement<{ key: string; kind: string; due_at: Date }>(
  'scheduler.armed-by-key',
  `select key, kind, due_at from timers where owner = $1 and key = any($2) and state = 'armed' order by due_at`,
);

const measureDue = statement<{ due: bigint; oldest_seconds: number }>(
  'scheduler.measure-due',
  `select count(*) as due,
          coalesce(extract(epoch from clock_timestamp() - min(due_at)), 0)::float8 as oldest_seconds
   from timers where state = 'armed' and due_at <= clock_timestamp()`,
);

/** Applies instructions in one statement; stale ones change nothing. */
export async function recordInstructions(db: Queryable, batch: readonly Asked[]): Promise<number> {
  const column = <T>(pick: (i: Asked) => T) => batch.map(pick);
  const [row] = await db.query(applyInstructions, [
    column((i) => i.owner),
    column((i) => i.key),
    column((i) => i.revision),
    column((i) => (i.timer ? 'armed' : 'cancelled')),
    column((i) => i.timer?.kind ?? null),
    column((i) => i.timer?.due_at ?? null),
    column((i) => (i.timer ? JSON.stringify(i.timer.data) : null)),
    column((i) => i.merchant_id),
    column((i) => i.mode),
    column((i) => i.traceparent ?? null),
  ]);
  return Number(row?.taken ?? 0n);
}

/**
 * Marks due timers fired and returns them, earliest first: up to `limit`, and up to as many of each merchant whose test
 * clock is ahead. Call it inside a transaction.
 */
export async function markDueFired(tx: Queryable, limit: number): Promise<DueTimer[]> {
  const rows = await tx.query(fireDue, [limit]);
  return rows.sort((a, b) => a.due_at.getTime() - b.due_at.getTime());
}

/** Returns in how many ms the next armed timer is due, 0 or less when one is; undefined when none is armed. */
export async function findNextDue(db: Queryable): Promise<number | undefined> {
  return (await db.query(nextDue))[0]?.wait_ms ?? undefined;
}

/** Deletes up to 1,000 settled timers older than `days`; returns how many. */
export async function deleteSettled(db: Queryable, days: number): Promise<number> {
  const [row] = await db.query(reapSettled, [days]);
  return Number(row?.reaped ?? 0n);
}

/** Timers of an owner that have yet to fire, by their keys. */
export async function findArmed(
  db: Queryable,
  owner: string,
  keys: readonly string[],
): Promise<{ key: string; kind: string; due_at: Date }[]> {
  return db.query(armedByKey, [owner, keys]);
}

/** How many timers are overdue now, and by how much the oldest is. */
export async function findOverdue(db: Queryable): Promise<{ due: number; oldestSeconds: number }> {
  const [row] = await db.query(measureDue);
  return { due: Number(row?.due ?? 0n), oldestSeconds: row?.oldest_seconds ?? 0 };
}
