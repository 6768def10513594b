import { setTimeout as delay } from 'node:timers/promises';
import { makeWorkerUtils, run, runMigrations, type RunnerOptions } from 'graphile-worker';
import pg from 'pg';
import { inBatches } from './delivery.ts';
import { serveWorks } from './work-server.ts';

// Jobs of graphile-worker that are due and do nothing, by its default settings or tuned. The work returns the seconds from
// the start of its worker until no job is left; adding them does not count.
const BATCH = 500;
const POLL_MS = 20;
const connectionString = process.env['DATABASE_URL'] ?? '';
const pool = new pg.Pool({ connectionString, max: 10 });

const AT_ONCE = 24;
/** As its manual says to tune it. */
const TUNED: RunnerOptions = {
  preset: {
    worker: {
      concurrentJobs: AT_ONCE,
      maxPoolSize: AT_ONCE,
      localQueue: { size: 500 },
      completeJobBatchDelay: 0,
    },
  },
};

await runMigrations({ connectionString });
const utils = await makeWorkerUtils({ connectionString });
const options = process.env['TUNED'] === undefined ? {} : TUNED;
serveWorks({ fire });

async function fire(count: number): Promise<number> {
  let fired = 0;
  const due = new Date();
  const jobs = Array.from({ length: count }, (_, key) => ({
    identifier: 'fire',
    payload: { key },
    runAt: due,
  }));
  for (const batch of inBatches(jobs, BATCH)) await utils.addJobs(batch);
  const startedAt = performance.now();
  const runner = await run({
    ...options,
    connectionString,
    noHandleSignals: true,
    taskList: { fire: () => void (fired += 1) },
  });
  while ((await countJobs()) > 0) await delay(POLL_MS);
  const seconds = (performance.now() - startedAt) / 1_000;
  await runner.stop();
  if (fired < count) throw new Error(`${fired} of ${count} jobs ran`);
  return seconds;
}

/** Jobs that are not yet completed, by the view that the library publishes. */
async function countJobs(): Promise<number> {
  const { rows } = await pool.query<{ jobs: number }>(
    'select count(*)::int as jobs from graphile_worker.jobs',
  );
  return rows[0]?.jobs ?? NaN;
}
