import { statement, type Queryable } from '@gp/pg';

// One locked row holds the count, so that no concurrent try is missed.
const take = statement<{ count: number; wait_seconds: number }>(
  'dashboard.take-try',
  `insert into tries as t (key, count, ends_at)
   values ($1, 1, clock_timestamp() + $2 * interval '1 second')
   on conflict (key) do update set
     count = case when t.ends_at <= clock_timestamp() then 1 else t.count + 1 end,
     since = case when t.ends_at <= clock_timestamp() then clock_timestamp() else t.since end,
     ends_at = case when t.ends_at <= clock_timestamp() then excluded.ends_at else t.ends_at end
   returning count, ceil(extract(epoch from ends_at - clock_timestamp()))::integer as wait_seconds`,
);
const forget = statement('dashboard.forget-tries', 'delete from tries where key = $1');
const reap = statement<{ gone: bigint }>(
  'dashboard.reap-tries',
  `with gone as (
     delete from tries where key in (select key from tries where ends_at <= clock_timestamp() limit 1000) returning 1
   ) select count(*) as gone from gone`,
);

/** Counts one more try within a window of `seconds`; returns how many there were, and how long until it ends. */
export async function takeTry(
  db: Queryable,
  key: string,
  seconds: number,
): Promise<{ count: number; waitSeconds: number }> {
  const [row] = await db.query(take, [key, seconds]);
  return { count: row?.count ?? 0, waitSeconds: Math.max(1, row?.wait_seconds ?? 1) };
}

export async function deleteTries(db: Queryable, key: string): Promise<void> {
  await db.query(forget, [key]);
}

/** Deletes up to 1,000 rows whose window is over; returns how many it deleted. */
export async function deleteEndedTries(db: Queryable): Promise<number> {
  return Number((await db.query(reap))[0]?.gone ?? 0n);
}
