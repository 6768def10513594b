import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { deleteOldKeys } from '../../db/idempotency-keys.ts';

/**
 * Three times what merchants are promised, so that a key is never deleted within its day; the ledger keeps its
 * commands an hour longer, so that the ledger never deletes a key first.
 */
const KEPT_HOURS = 72;

/** Deletes expired idempotency records in small batches. */
export function reapIdempotencyKeys(db: Db): Loop {
  return {
    name: 'reap-idempotency-keys',
    idleMs: 10 * 60 * 1_000,
    runOnce: async () => ((await deleteOldKeys(db, KEPT_HOURS)) > 0 ? 'busy' : 'idle'),
  };
}
