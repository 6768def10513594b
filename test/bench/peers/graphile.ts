import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { makeWorkerUtils, run, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { deliver, type Job } from './delivery.ts';

// Deliveries by graphile-worker as its manual says to tune it: a local queue, completions in batches, jobs added in
// batches, and one row for each attempt. `POST /?count=…` answers when so many deliveries are recorded and completed.
const AT_ONCE = 100;
const BATCH = 500;
/** As often as the measure asks the platform's database. */
const POLL_MS = 100;
const connectionString = process.env['DATABASE_URL'] ?? '';
const urls = (process.env['URLS'] ?? '').split(' ');
const pool = new pg.Pool({ connectionString, max: 10 });

await runMigrations({ pgPool: pool });
await pool.query(
  `create table if not exists attempts (
     id uuid primary key, url text not null, status smallint not null, at timestamptz not null default now())`,
);
const utils = await makeWorkerUtils({ pgPool: pool });
await run({
  pgPool: pool,
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
    worker: { concurrentJobs: AT_ONCE, localQueue: { size: 5 * AT_ONCE }, completeJobBatchDelay: 0 },
  },
});

createServer((request, response) => {
  const count = Number(new URL(request.url ?? '/', 'http://peer').searchParams.get('count'));
  work(count).then(
    () => response.end(),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(process.env['PORT']), '127.0.0.1', () => process.stdout.write('ready\n'));

async function work(count: number): Promise<void> {
  await pool.query('truncate attempts');
  for (let first = 0; first < count; first += BATCH)
    await utils.addJobs(
      Array.from({ length: Math.min(BATCH, count - first) }, (_, index) => ({
        identifier: 'deliver',
        payload: buildJob(first + index),
      })),
    );
  while ((await countOpen(count)) > 0) await new Promise((done) => setTimeout(done, POLL_MS));
}

/** Deliveries without a row, and jobs that are not yet completed. */
async function countOpen(count: number): Promise<number> {
  const { rows } = await pool.query<{ open: number }>(
    `select ($1 - (select count(*) from attempts) + (select count(*) from graphile_worker._private_jobs))::int as open`,
    [count],
  );
  return rows[0]?.open ?? count;
}

function buildJob(index: number): Job {
  const id = randomUUID();
  const data = { group_payment_id: id, state: 'paid', is_test_mode: true, sequence: 1 };
  const created = new Date().toISOString();
  const payload = JSON.stringify({ id, type: 'group_payment.paid', created, group_id: id, data });
  return { id, url: urls[index % urls.length] ?? '', payload };
}
