import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { deleteRequests } from '../db/requests.ts';
import { deleteRefunds } from '../db/refunds.ts';

/** One hour past the edge's own limit of 72: a command's answer is there for as long as its key is. */
const REQUEST_HOURS = 73;
/** Settled refunds stay as long as the events that told of them; the ledger keeps the money's own history. */
const REFUND_DAYS = 30;

/** Forgets requests whose idempotency keys are gone, and refunds that ended long ago, in small batches. */
export function reapRequests(db: Db): Loop {
  return {
    name: 'reap-requests',
    idleMs: 10 * 60 * 1000,
    async runOnce() {
      const gone = (await deleteRequests(db, REQUEST_HOURS)) + (await deleteRefunds(db, REFUND_DAYS));
      return gone > 0 ? 'busy' : 'idle';
    },
  };
}
