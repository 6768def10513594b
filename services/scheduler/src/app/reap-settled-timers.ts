import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { deleteSettled } from '../db/timers.ts';

/** Longer than a late message can survive: the command stream keeps less than 30 days. */
const KEPT_DAYS = 30;

/** Deletes timers that fired or were cancelled long ago, in small batches. */
export function reapSettledTimers(db: Db): Loop {
  return {
    name: 'reap-settled-timers',
    idleMs: 60 * 60 * 1000,
    runOnce: async () => ((await deleteSettled(db, KEPT_DAYS)) > 0 ? 'busy' : 'idle'),
  };
}
