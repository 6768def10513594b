import type { Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

export type FoundPayment = {
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly group_id: string;
  readonly intent_id: string;
};

// Index: psp_attempts_by_psp_reference. Two sandboxes, or test and live mode, may use one reference each.
const find = statement<FoundPayment>(
  'gateway.find-payments-by-reference',
  `select distinct merchant_id, mode, group_id, intent_id from psp_attempts where psp_reference = $1 limit 20`,
);

/** Returns the payments with a call that the gateway gave this reference, at most 20. */
export function findPaymentsByReference(db: Queryable, pspReference: string): Promise<FoundPayment[]> {
  return db.query(find, [pspReference]);
}
