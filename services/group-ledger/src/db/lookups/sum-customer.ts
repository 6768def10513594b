import type { IntentState } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

export type CustomerSumRow = {
  readonly state: IntentState;
  readonly currency: string;
  readonly payments: bigint;
  readonly on_hold: bigint;
  readonly captured: bigint;
  readonly refunded: bigint;
};

// Reads intents_of_a_customer, then groups by their key and the index of attempts_of_an_intent_are_numbered: all payments
// of the customer. A hold counts until it is captured, released or voided, as in the account group:held.
const sums = statement<CustomerSumRow>(
  'ledger.sum-customer',
  `select i.state, g.currency, count(*) as payments, coalesce(sum(h.minor), 0)::bigint as on_hold,
          sum(i.amount_captured)::bigint as captured, sum(i.amount_refunded)::bigint as refunded
   from intents i join groups g on g.id = i.group_id
   cross join lateral (
     select sum(a.amount_minor) as minor from attempts a
     where a.intent_id = i.id and a.state = 'authorised'
       and a.amount_captured = 0 and not (a.id = i.winning_attempt_id and i.amount_captured > 0)
   ) h
   where i.customer_id = $1
   group by i.state, g.currency`,
);

/** Counts and sums of a customer's payments, one row for each state and currency, in no order. */
export function sumCustomer(q: Queryable, customerId: string): Promise<CustomerSumRow[]> {
  return q.query(sums, [customerId]);
}
