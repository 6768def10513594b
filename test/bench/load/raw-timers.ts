import pg from 'pg';

/** As many as the scheduler fires in one pass. */
const BATCH = 200;

/** Timers as one bare table, claimed by one connection in batches. */
export type RawTimers = AsyncDisposable & {
  /** Writes so many due timers, and returns the seconds that it then takes to claim and delete them all. */
  claim(count: number): Promise<number>;
};

/** Makes the table in this database. */
export async function openRawTimers(url: string): Promise<RawTimers> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `create table if not exists raw_timers (key text primary key, due_at timestamptz not null, data jsonb not null);
     create index if not exists raw_timers_by_due_at on raw_timers (due_at);
     truncate raw_timers`,
  );
  const claimBatch = {
    name: 'claim',
    text: `with due as (
             select key from raw_timers where due_at <= clock_timestamp() order by due_at limit $1 for update skip locked
           ) delete from raw_timers t using due where t.key = due.key returning t.key, t.due_at, t.data`,
    values: [BATCH],
  };
  return {
    async claim(count) {
      await client.query(
        `insert into raw_timers
         select gen_random_uuid(), clock_timestamp(), '{"step":1}' from generate_series(1, $1::int)`,
        [count],
      );
      await client.query('vacuum (analyze) raw_timers');
      const startedAt = performance.now();
      let claimed = 0;
      while (claimed < count) claimed += (await client.query(claimBatch)).rows.length;
      return (performance.now() - startedAt) / 1_000;
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}
