import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { deleteAdvances } from '../db/advances.ts';

/** One hour longer than the edge keeps an idempotency key (72 h), so that no key can move time twice. */
const KEPT_HOURS = 73;

/** Deletes advances whose idempotency keys have expired, in small batches. */
export function reapAdvances(db: Db): Loop {
  return {
    name: 'reap-advances',
    idleMs: 10 * 60 * 1000,
    runOnce: async () => ((await deleteAdvances(db, KEPT_HOURS)) > 0 ? 'busy' : 'idle'),
  };
}
