import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { deleteAdvances } from '../db/advances.ts';

/** One hour past the edge's own limit of 72: a key must never outlive its command here and count a second time. */
const KEPT_HOURS = 73;

/** Forgets advances whose idempotency keys are gone, in small batches. */
export function reapAdvances(db: Db): Loop {
  return {
    name: 'reap-advances',
    idleMs: 10 * 60 * 1000,
    runOnce: async () => ((await deleteAdvances(db, KEPT_HOURS)) > 0 ? 'busy' : 'idle'),
  };
}
