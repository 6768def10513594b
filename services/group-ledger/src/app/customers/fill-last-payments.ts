import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { fillLastPayments as fillRows } from '../../db/customers.ts';

/**
 * A replica of an older release starts payments without noting them at their customers. Until a rollout is surely over, nothing
 * is filled that such a replica could overtake.
 */
const ROLLOUT_MS = 15 * 60 * 1000;

/** Notes the last payment of customers that older releases stored without it, 500 at a time; afterwards it has nothing to do. */
export function fillLastPayments(db: Db, waitMs = ROLLOUT_MS): Loop {
  const beginsAt = performance.now() + waitMs;
  return {
    name: 'fill-last-payments',
    idleMs: 5 * 60 * 1000,
    runOnce: async () => (performance.now() >= beginsAt && (await fillRows(db)) > 0 ? 'busy' : 'idle'),
  };
}
