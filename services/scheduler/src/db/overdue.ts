import type { Db } from '@gp/pg';
import { metrics } from '@gp/telemetry';
import { findOverdue } from './timers.ts';

/** Exports how far the scheduler is behind; read from the table when the metrics are scraped. */
export function observeOverdue(db: Db): void {
  metrics.gauge({
    name: 'gp_scheduler_overdue_oldest_seconds',
    help: 'Age of the timer that is due for longest and has not fired',
    unit: 'seconds',
    collect: async (gauge) => gauge.set(await oldestSeconds(db)),
  });
}

/** NaN while the database is away: a scrape must not fail for it. */
function oldestSeconds(db: Db): Promise<number> {
  return findOverdue(db).then(
    (overdue) => overdue.oldestSeconds,
    () => NaN,
  );
}
