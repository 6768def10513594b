import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { deleteRequests } from '../db/requests.ts';
import { deleteRefunds } from '../db/refunds.ts';

/** One hour longer than the edge keeps an idempotency key (72 h), so that a repeated command finds its answer. */
const REQUEST_HOURS = 73;
/** As long as the events of a refund are kept. The ledger keeps the history of the money. */
const REFUND_DAYS = 30;

/** Deletes requests whose idempotency keys have expired, and old settled refunds, in small batches. */
export function reapRequests(db: Db): Loop {
  return {
    name: 'reap-requests',
    idleMs: 10 * 60 * 1000,
    async runOnce() {
      const deleted = (await deleteRequests(db, REQUEST_HOURS)) + (await deleteRefunds(db, REFUND_DAYS));
      return deleted > 0 ? 'busy' : 'idle';
    },
  };
}
