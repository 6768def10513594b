import type { Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

type Known = { readonly merchant_id: string; readonly mode: Mode; readonly email: string };

// No mail is ever delivered under `.invalid` (RFC 2606), and no payer's e-mail address contains the payer's own id.
const ERASED = '@erased.invalid';
/** Returns the address of a customer who was erased. */
export const erasedAddress = (id: string): string => id + ERASED;

const pseudonymiseStatement = statement<{ id: string }>(
  'ledger.pseudonymise-customer',
  `update customers set email = id || '${ERASED}', name = null, time_zone = null, updated_at = clock_timestamp()
   where merchant_id = $1 and mode = $2 and email = $3
   returning id`,
);

// Reads the index of customers_are_known_by_email, and intents_of_a_customer.
const shownNamesStatement = statement<{ group_id: string; id: string }>(
  'ledger.list-shown-names',
  `select i.group_id, i.id from customers c join intents i on i.customer_id = c.id
   where c.merchant_id = $1 and c.mode = $2 and c.email = $3 and i.shown_name is not null`,
);

/** Customers of one step. */
const STEP = 500;

// Reads customers_unfilled, which is empty once all are filled, and intents_of_a_customer. A payment that is started meanwhile
// waits for the row, and keeps the later instant.
const fillStatement = statement<{ filled: bigint }>(
  'ledger.fill-last-payments',
  `with unfilled as (
     select id from customers where last_payment_at is null order by id limit ${STEP} for update skip locked
   ), filled as (
     update customers c
     set last_payment_at =
       greatest(c.created_at, (select max(i.created_at) from intents i where i.customer_id = c.id))
     from unfilled u where c.id = u.id returning 1
   )
   select count(*) as filled from filled`,
);

/** Notes the last payment of up to 500 customers that older releases stored without it; returns how many. */
export async function fillLastPayments(q: Queryable): Promise<number> {
  const [row] = await q.query(fillStatement, []);
  return Number(row?.filled ?? 0n);
}

/** Returns the payments of a customer at which the name is shown. */
export function listShownNames(
  q: Queryable,
  { merchant_id, mode, email }: Known,
): Promise<{ group_id: string; id: string }[]> {
  return q.query(shownNamesStatement, [merchant_id, mode, email]);
}

/** Replaces a customer's name and address, and deletes the time zone; returns the customer's id, or undefined when none has this address. */
export async function pseudonymise(
  q: Queryable,
  { merchant_id, mode, email }: Known,
): Promise<string | undefined> {
  const [row] = await q.query(pseudonymiseStatement, [merchant_id, mode, email]);
  return row?.id;
}
