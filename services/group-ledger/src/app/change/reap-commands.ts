import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { deleteCommands } from '../../db/commands.ts';

/** One hour past the edge's own limit of 72: a key must never outlive its command here and run a second time. */
const KEPT_HOURS = 73;

/** Deletes commands whose idempotency keys are gone, in small batches. */
export function reapCommands(db: Db): Loop {
  return {
    name: 'reap-commands',
    idleMs: 10 * 60 * 1000,
    runOnce: async () => ((await deleteCommands(db, KEPT_HOURS)) > 0 ? 'busy' : 'idle'),
  };
}
