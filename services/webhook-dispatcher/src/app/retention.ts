import { maintainPartitions, type Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { deleteOldEvents } from '../db/events.ts';

/** Events, deliveries and attempts are kept this long (Q31). */
const KEPT_DAYS = 30;
/** How long the maintenance may be away before attempts could not be logged any more. */
const AHEAD_DAYS = 7;
const HOUR_MS = 60 * 60 * 1_000;

/** Makes the days the attempt log needs next and drops those past their retention. */
export async function keepPartitions(db: Db): Promise<void> {
  await maintainPartitions(db, {
    table: 'attempts',
    by: 'uuidv7',
    aheadDays: AHEAD_DAYS,
    keepDays: KEPT_DAYS,
  });
}

export function maintainAttemptLog(db: Db): Loop {
  return {
    name: 'maintain-attempt-log',
    idleMs: HOUR_MS,
    runOnce: () => keepPartitions(db).then(() => 'idle'),
  };
}

/** Forgets old events with their deliveries, in small batches. */
export function reapEvents(db: Db): Loop {
  return {
    name: 'reap-events',
    idleMs: HOUR_MS,
    runOnce: async () => ((await deleteOldEvents(db, KEPT_DAYS)) > 0 ? 'busy' : 'idle'),
  };
}
