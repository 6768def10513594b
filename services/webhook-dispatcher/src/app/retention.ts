import { maintainPartitions, type Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { deleteOldEndpoints } from '../db/endpoints.ts';
import { deleteOldEvents } from '../db/events.ts';
import { KEPT_DAYS } from '../domain/period.ts';
import { reapSecrets } from './endpoints/roll-secret.ts';

/** How long the maintenance may be away before attempts could not be logged any more. */
const AHEAD_DAYS = 7;
const HOUR_MS = 60 * 60 * 1_000;

/**
 * Makes the days the attempt log needs next and drops those past their retention (Q31); `now` is the database's when
 * it is not given.
 */
export async function keepPartitions(db: Db, now?: Date): Promise<void> {
  const plan = { table: 'attempts', by: 'uuidv7', aheadDays: AHEAD_DAYS, keepDays: KEPT_DAYS } as const;
  await maintainPartitions(db, plan, now);
}

/** Every loop that deletes old rows or settles closed lanes. */
export function upkeep(db: Db): Loop[] {
  return [maintainAttemptLog(db), reapEvents(db), reapEndpoints(db), reapSecrets(db)];
}

function maintainAttemptLog(db: Db): Loop {
  return {
    name: 'maintain-attempt-log',
    idleMs: HOUR_MS,
    runOnce: () => keepPartitions(db).then(() => 'idle'),
  };
}

/** Deletes old events with their deliveries, in small batches. */
export function reapEvents(db: Db): Loop {
  return {
    name: 'reap-events',
    idleMs: HOUR_MS,
    runOnce: async () => ((await deleteOldEvents(db, KEPT_DAYS)) > 0 ? 'busy' : 'idle'),
  };
}

/** Deletes endpoints that were ended so long ago that no delivery refers to them any more. */
export function reapEndpoints(db: Db): Loop {
  return {
    name: 'reap-endpoints',
    idleMs: HOUR_MS,
    runOnce: async () => ((await deleteOldEndpoints(db, KEPT_DAYS)) > 0 ? 'busy' : 'idle'),
  };
}
