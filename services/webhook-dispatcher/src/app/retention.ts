import { statement, type Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { deleteOldEndpoints } from '../db/endpoints.ts';
import { deleteOldEvents } from '../db/events.ts';
import { KEPT_DAYS } from '../domain/period.ts';
import { reapSecrets } from './endpoints/roll-secret.ts';

const HOUR_MS = 60 * 60 * 1_000;
const keepDays = statement('webhooks.keep-attempt-days', 'select keep_attempt_days()');

/**
 * Makes the days the attempt log needs next and drops those past their retention (Q31), by a function of the schema's
 * owner. Safe to run on every replica and at any frequency.
 */
export async function keepPartitions(db: Db): Promise<void> {
  await db.query(keepDays);
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
