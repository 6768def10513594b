import type { Loop } from '@gp/service';
import type { Db } from '@gp/pg';
import { deleteOldCallbacks } from '../db/callbacks.ts';

/** Deletes callbacks after the 90 days they are kept, in small batches. */
export function deleteCallbacks(db: Db): Loop {
  return {
    name: 'forget-callbacks',
    idleMs: 60 * 60 * 1000,
    runOnce: async () => ((await deleteOldCallbacks(db)) > 0 ? 'busy' : 'idle'),
  };
}
