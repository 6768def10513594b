import type { ListPosition } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';
import type { PaymentRow } from './describe-group.ts';
import { refuseBadInput } from '../group/refusals.ts';

type Scope = { readonly merchantId: string; readonly mode: string };

export type ListedPaymentRow = PaymentRow & {
  readonly psp_reference: string | null;
  readonly shown_name: string | null;
  readonly time_zone: string | null;
};
export type PaymentOfGroupRow = ListedPaymentRow & {
  readonly group_id: string;
  readonly group_name: string;
  readonly currency: string;
};

const currency = statement<{ currency: string }>(
  'ledger.currency-of-group',
  `select currency from groups where id = $1 and merchant_id = $2 and mode = $3`,
);
// Reads intents_of_a_group and the index of attempts_of_an_intent_are_numbered.
const COLUMNS = `i.id, i.psp_code, i.state, i.unknown, i.disputed, i.amount_minor, i.tip_minor, i.amount_captured, i.amount_refunded,
          i.slot_ids, i.shown_name, i.customer_id, c.email, c.name, c.time_zone, i.failure, i.created_at,
          (select a.psp_reference from attempts a where a.intent_id = i.id and a.psp_reference is not null
           order by a.id is not distinct from i.winning_attempt_id desc, a.seq desc limit 1) as psp_reference`;
const FROM = 'from intents i join customers c on c.id = i.customer_id';
const PAYMENTS = `select ${COLUMNS} ${FROM}`;
const NEWEST_FIRST = 'order by i.created_at desc, i.id desc';
const page = statement<ListedPaymentRow>(
  'ledger.list-payments',
  `${PAYMENTS}
   where i.group_id = $1 and ($2::timestamptz is null or (i.created_at, i.id) < ($2, $3::uuid))
   ${NEWEST_FIRST} limit $4`,
);
const ofGroups = statement<ListedPaymentRow & { group_id: string }>(
  'ledger.list-payments-of-groups',
  `select g.id as group_id, p.* from groups g
   cross join lateral (${PAYMENTS} where i.group_id = g.id ${NEWEST_FIRST} limit $4) p
   where g.id = any($1::uuid[]) and g.merchant_id = $2 and g.mode = $3
   order by p.created_at desc, p.id desc`,
);
// Reads all payments of the customer by intents_of_a_customer: a person has few of them at one merchant.
const ofCustomer = statement<PaymentOfGroupRow>(
  'ledger.list-payments-of-customer',
  `select i.group_id, g.group_name, g.currency, ${COLUMNS} ${FROM} join groups g on g.id = i.group_id
   where i.customer_id = $1 and ($2::timestamptz is null or (i.created_at, i.id) < ($2, $3::uuid))
   ${NEWEST_FIRST} limit $4`,
);

/** The currency of a group, if it is this merchant's in this mode. */
export async function findCurrencyOfGroup(
  q: Queryable,
  { merchantId, mode }: Scope,
  groupId: string,
): Promise<string | undefined> {
  const [row] = await q.query(currency, [groupId, merchantId, mode]);
  return row?.currency;
}

/** The payments of a group behind a position, newest first. */
export function listPayments(
  q: Queryable,
  o: { readonly groupId: string; readonly after: ListPosition | null; readonly limit: number },
): Promise<ListedPaymentRow[]> {
  return q
    .query(page, [o.groupId, o.after?.created_at ?? null, o.after?.id ?? null, o.limit])
    .catch(refuseBadInput);
}

/** The newest payments, at most `limit` of each group, of those groups that are this merchant's in this mode; newest first. */
export function listPaymentsOfGroups(
  q: Queryable,
  { merchantId, mode }: Scope,
  o: { readonly groupIds: readonly string[]; readonly limit: number },
): Promise<(ListedPaymentRow & { readonly group_id: string })[]> {
  return q.query(ofGroups, [o.groupIds, merchantId, mode, o.limit]);
}

/** The payments of a customer in all groups behind a position, newest first. The caller has checked whose customer it is. */
export function listPaymentsOfCustomer(
  q: Queryable,
  o: { readonly customerId: string; readonly after: ListPosition | null; readonly limit: number },
): Promise<PaymentOfGroupRow[]> {
  return q
    .query(ofCustomer, [o.customerId, o.after?.created_at ?? null, o.after?.id ?? null, o.limit])
    .catch(refuseBadInput);
}
