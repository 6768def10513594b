import { statement, type Queryable } from '@gp/pg';
import type { GroupJson } from '../group/group.row.ts';
import { refuseBadInput } from '../group/refusals.ts';
import { hasWord } from './accents.ts';

type Scope = { readonly merchantId: string; readonly mode: string };

export const MOST_FOUND = 20;

/** Groups, from the newest on, whose names are searched for the beginning of any word. */
const NEAR = 2_000;

const TEXT = '$3::text';
const OWN = 'g.merchant_id = $1 and g.mode = $2';
const OF_CUSTOMERS = `customers c
     join intents i on i.customer_id = c.id join groups g on g.id = i.group_id`;
/** The greatest character: what begins with a text lies between the text and the text with this at its end. */
const begins = (column: string, text: string): string =>
  `${column} between ${text} and ${text} || chr(1114111)`;
const IS_NEAR_ENOUGH = `(select count(*) from near) > ${MOST_FOUND}`;

/**
 * Exact texts and order numbers, which begin with their time, are read from an index that gives few rows. Beginnings of names
 * and references may match most groups of a merchant: the newest groups are looked at first, and the indexes
 * groups_by_name, groups_by_reference_in_lower_case and customers_by_name are read only where these gave less than a
 * page, which means that not very many match. Without its "offset 0" the payers of all groups would be read and hashed.
 */
export const searchStatement = statement<{ group: GroupJson }>(
  'ledger.search-groups',
  `with newest as materialized (
     select id, created_at, group_name, client_reference from groups g where ${OWN}
     order by created_at desc, id desc limit ${NEAR}
   ), near as materialized (
     select n.id, n.created_at from newest n
     where ${hasWord('n.group_name', TEXT)} or starts_with(lower(n.client_reference), lower(${TEXT} collate "C"))
       or exists (select from intents i join customers c on c.id = i.customer_id
                  where i.group_id = n.id and ${hasWord('c.name', TEXT)} offset 0)
     order by n.created_at desc, n.id desc limit ${MOST_FOUND + 1}
   ), far as (
     select id, created_at from groups g
     where not ${IS_NEAR_ENOUGH} and ${OWN} and ${begins('lower(group_name) collate "C"', `lower(${TEXT})`)}
     union all
     select id, created_at from groups g
     where not ${IS_NEAR_ENOUGH} and ${OWN} and ${begins('lower(client_reference)', `lower(${TEXT} collate "C")`)}
     union all
     select g.id, g.created_at from ${OF_CUSTOMERS}
     where ${OWN} and not ${IS_NEAR_ENOUGH} and c.merchant_id = $1 and c.mode = $2
       and ${begins('lower(c.name) collate "C"', `lower(${TEXT})`)}
   ), exact as (
     select id, created_at from groups g where id = $4 and ${OWN}
     union all
     select g.id, g.created_at from intents i join groups g on g.id = i.group_id where i.id = $4 and ${OWN}
     union all
     select id, created_at from groups g where (page_token = $5 or organiser_token = $5) and ${OWN}
     union all
     select g.id, g.created_at from attempts a join groups g on g.id = a.group_id
     where a.psp_reference = ${TEXT} and ${OWN}
     union all
     select g.id, g.created_at from ${OF_CUSTOMERS}
     where ${OWN} and c.merchant_id = $1 and c.mode = $2 and c.email = lower(${TEXT})
     union all
     (select id, created_at from groups g where ${OWN} and ${begins('g.merchant_order_id', `upper(${TEXT})`)}
      order by merchant_order_id desc limit ${MOST_FOUND + 1})
   )
   select to_jsonb(g) as "group" from (
     select id, created_at from near union select id, created_at from far union select id, created_at from exact
     order by created_at desc, id desc limit ${MOST_FOUND + 1}
   ) f join groups g on g.id = f.id order by g.created_at desc, g.id desc`,
);

/**
 * Finds a merchant's groups by a text, newest first, one more than MOST_FOUND at most. `id` is the id in the text, of a group
 * or of a payment; `token` is that of a link, of the payers or of the organiser.
 */
export async function searchGroups(
  db: Queryable,
  { merchantId, mode }: Scope,
  { text, id, token }: { readonly text: string; readonly id: string | null; readonly token: string | null },
): Promise<GroupJson[]> {
  const rows = await db.query(searchStatement, [merchantId, mode, text, id, token]).catch(refuseBadInput);
  return rows.map(({ group }) => group);
}
