import type { Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

type Known = { readonly merchant_id: string; readonly mode: Mode; readonly email: string };

// No mail is ever delivered under `.invalid` (RFC 2606), and no payer's e-mail address contains the payer's own id.
const pseudonymiseStatement = statement<{ id: string }>(
  'ledger.pseudonymise-customer',
  `update customers set email = id || '@erased.invalid', name = null, updated_at = clock_timestamp()
   where merchant_id = $1 and mode = $2 and email = $3
   returning id`,
);

/** Replaces a customer's name and address; returns the customer's id, or undefined when none has this address. */
export async function pseudonymise(
  q: Queryable,
  { merchant_id, mode, email }: Known,
): Promise<string | undefined> {
  const [row] = await q.query(pseudonymiseStatement, [merchant_id, mode, email]);
  return row?.id;
}
