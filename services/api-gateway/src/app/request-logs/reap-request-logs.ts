import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { deleteOldRequestLogs } from '../../db/request-logs.ts';

/** Kept days: long enough to look at last month's trouble. */
const KEPT_MS = 30 * 86_400_000;

/** Deletes logged requests after 30 days, in small batches. */
export function reapRequestLogs(db: Db, now: () => number = Date.now): Loop {
  return {
    name: 'reap-request-logs',
    idleMs: 10 * 60 * 1_000,
    runOnce: async () => ((await deleteOldRequestLogs(db, now() - KEPT_MS)) > 0 ? 'busy' : 'idle'),
  };
}
