import { statement, type Queryable } from '@gp/pg';
import type { ExternalAmounts } from '../domain/finding.ts';

const list = statement<{ operation: 'capture' | 'refund'; amount_minor: bigint }>(
  'gateway.list-mirrored',
  'select operation, amount_minor from mirrored where attempt_id = $1',
);

const add = statement(
  'gateway.add-mirrored',
  `insert into mirrored as m (attempt_id, operation, amount_minor) values ($1, $2, $3)
   on conflict (attempt_id, operation)
     do update set amount_minor = m.amount_minor + excluded.amount_minor, told_at = clock_timestamp()`,
);

// A row whose amount reaches zero is deleted.
const take = statement(
  'gateway.take-mirrored',
  `with gone as (
     delete from mirrored where attempt_id = $1 and operation = $2 and amount_minor <= $3
   )
   update mirrored set amount_minor = amount_minor - $3, told_at = clock_timestamp()
    where attempt_id = $1 and operation = $2 and amount_minor > $3`,
);

type LedgerOperation = { attemptId: string; operation: 'capture' | 'refund'; amountMinor: bigint };

/**
 * Lists the external operations that the ledger has been sent. To act on them, read them under the lock on the
 * payment's rows.
 */
export async function listExternalAmounts(tx: Queryable, attemptId: string): Promise<ExternalAmounts> {
  const rows = await tx.query(list, [attemptId]);
  const findAmount = (operation: 'capture' | 'refund'): bigint =>
    rows.find((row) => row.operation === operation)?.amount_minor ?? 0n;
  return { capture: findAmount('capture'), refund: findAmount('refund') };
}

export async function addExternalAmount(tx: Queryable, o: LedgerOperation): Promise<void> {
  await tx.query(add, [o.attemptId, o.operation, o.amountMinor]);
}

/**
 * Removes a reversed external operation; the reversal is sent to the ledger, so that the same operation is sent
 * again when it happens again.
 */
export async function subtractExternalAmount(tx: Queryable, o: LedgerOperation): Promise<void> {
  await tx.query(take, [o.attemptId, o.operation, o.amountMinor]);
}
