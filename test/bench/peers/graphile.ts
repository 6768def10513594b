import { setTimeout as delay } from 'node:timers/promises';
import { makeWorkerUtils, run, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { buildJobs, deliver, inBatches, type Job } from './delivery.ts';
import { serveWorks } from './work-server.ts';

// Deliveries by graphile-worker as its manual says to tune it: a local queue, completions in batches, jobs added in
// batches, and one row for each attempt.
const AT_ONCE = 100;
const BATCH = 500;
/** As often as the measure asks the platform's database. */
const POLL_MS = 100;
const connectionString = process.env['DATABASE_URL'] ?? '';
const pool = new pg.Pool({ connectionString, max: 10 });

await runMigrations({ connectionString });
await pool.query(
  `create table if not exists attempts (
     id uuid primary key, url text not null, status smallint not null, at timestamptz not null default now())`,
);
const utils = await makeWorkerUtils({ connectionString });
await run({
  connectionString,
  noHandleSignals: true,
  taskList: {
    async deliver(payload) {
      const job = payload as Job;
      const status = await deliver(job);
      await pool.query('insert into attempts (id, url, status) values ($1, $2, $3)', [
        job.id,
        job.url,
        status,
      ]);
    },
  },
  preset: {
    worker: {
      concurrentJobs: AT_ONCE,
      // It warns of fewer, and opens few of them.
      maxPoolSize: AT_ONCE,
      localQueue: { size: 5 * AT_ONCE },
      completeJobBatchDelay: 0,
    },
  },
});

serveWorks({
  async deliver(count) {
    for (const jobs of inBatches(buildJobs(count), BATCH))
      await utils.addJobs(jobs.map((payload) => ({ identifier: 'deliver', payload })));
    while ((await countOpen(count)) > 0) await delay(POLL_MS);
  },
  reset: () => pool.query('truncate attempts').then(() => undefined),
});

/** Deliveries without a row, and jobs that are not yet completed, by the view that the library publishes. */
async function countOpen(count: number): Promise<number> {
  const { rows } = await pool.query<{ open: number }>(
    'select ($1 - (select count(*) from attempts) + (select count(*) from graphile_worker.jobs))::int as open',
    [count],
  );
  return rows[0]?.open ?? count;
}
