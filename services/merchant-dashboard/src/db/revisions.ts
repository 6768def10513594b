import type { Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

// Locks the row until the transaction ends, so that revisions follow the order of the commits.
const next = statement<{ revision: bigint }>(
  'dashboard.next-revision',
  `insert into revisions (merchant_id, mode, revision) values ($1, $2, 1)
   on conflict (merchant_id, mode) do update set revision = revisions.revision + 1
   returning revision`,
);
// The same row, read only for its lock.
const lock = statement(
  'dashboard.lock-revisions',
  `insert into revisions (merchant_id, mode, revision) values ($1, $2, 0)
   on conflict (merchant_id, mode) do update set revision = revisions.revision`,
);

/** Returns the next revision of a merchant's published records in a mode. */
export async function nextRevision(tx: Queryable, merchantId: string, mode: Mode): Promise<number> {
  const [row] = await tx.query(next, [merchantId, mode]);
  return Number(row?.revision ?? 0n);
}

/** Locks a merchant's published records in a mode against other changes until the transaction ends. */
export async function lockRevisions(tx: Queryable, merchantId: string, mode: Mode): Promise<void> {
  await tx.query(lock, [merchantId, mode]);
}
