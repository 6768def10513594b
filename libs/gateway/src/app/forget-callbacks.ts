import type { Loop } from '@gp/service';
import type { Db } from '@gp/pg';
import { forgetOldCallbacks } from '../db/callbacks.ts';

/** Deletes callbacks after the 90 days they are kept, in small batches. */
export function forgetCallbacks(db: Db): Loop {
  return {
    name: 'forget-callbacks',
    idleMs: 60 * 60 * 1000,
    runOnce: async () => ((await forgetOldCallbacks(db)) > 0 ? 'busy' : 'idle'),
  };
}
