import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { deleteExpired } from '../../db/mailed.ts';

const REAP_EVERY_MS = 10 * 60 * 1000;

/** Deletes mailed links that were not followed in time. */
export function reapMailed(db: Db): Loop {
  return {
    name: 'reap-mailed',
    idleMs: REAP_EVERY_MS,
    runOnce: async () => ((await deleteExpired(db)) > 0 ? 'busy' : 'idle'),
  };
}
