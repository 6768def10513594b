import type { Db } from '@gp/pg';
import { metrics } from '@gp/telemetry';
import { findOverdue } from './timers.ts';

/** Exports the delay of the scheduler, which each scrape reads from the table. */
export function observeOverdue(db: Db): void {
  metrics.gauge({
    name: 'gp_scheduler_overdue_oldest_seconds',
    help: 'Age of the timer that is due for longest and has not fired',
    unit: 'seconds',
    collect: async (gauge) => gauge.set(await oldestSeconds(db)),
  });
}

/** Returns NaN while the database is away, so that a scrape does not fail. */
function oldestSeconds(db: Db): Promise<number> {
  return findOverdue(db).then(
    (overdue) => overdue.oldestSeconds,
    () => NaN,
  );
}
