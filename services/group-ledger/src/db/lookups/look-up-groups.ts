import { statement, type Queryable } from '@gp/pg';
import { MERCHANT } from '../books/leg-sums.ts';
import type { GroupJson } from '../group/group.row.ts';
import { refuseBadInput } from '../group/refusals.ts';

type Scope = { readonly merchantId: string; readonly mode: string };

type SumRow = {
  group_id: string;
  group_name: string;
  held: bigint;
  captured: bigint;
  refunded: bigint;
  is_disputed: boolean;
};

// Reads groups by their key, postings_of_a_group and, for each, intents_disputed, which has few rows; a group without postings
// sums up to nothing.
const sums = statement<SumRow>(
  'ledger.sum-groups',
  `select g.id as group_id, g.group_name,
          coalesce(sum(p.amount_minor) filter (where p.account = 'group:held'), 0)::bigint as held,
          coalesce(sum(p.amount_minor) filter (where p.account in (${MERCHANT})), 0)::bigint as captured,
          coalesce(sum(p.amount_minor) filter (where p.account = 'payer:refunded'), 0)::bigint as refunded,
          exists (select from intents i where i.group_id = g.id and i.disputed) as is_disputed
   from groups g left join postings p on p.group_id = g.id
   where g.id = any($3::uuid[]) and g.merchant_id = $1 and g.mode = $2
   group by g.id`,
);
// Reads the index of groups_are_told_apart_by_order_id.
const byOrder = statement<{ group: GroupJson }>(
  'ledger.group-of-order',
  `select to_jsonb(g) as "group" from groups g where merchant_id = $1 and merchant_order_id = $3 and mode = $2`,
);

/** Names of these groups and sums of their postings; groups that are not this merchant's in this mode add nothing. */
export function sumGroups(
  db: Queryable,
  { merchantId, mode }: Scope,
  ids: readonly string[],
): Promise<SumRow[]> {
  return db.query(sums, [merchantId, mode, ids]);
}

/** The group of an order number, if it is this merchant's in this mode. */
export async function findGroupOfOrder(
  db: Queryable,
  { merchantId, mode }: Scope,
  orderId: string,
): Promise<GroupJson | undefined> {
  const [row] = await db.query(byOrder, [merchantId, mode, orderId]).catch(refuseBadInput);
  return row?.group;
}
