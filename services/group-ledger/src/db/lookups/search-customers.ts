import { statement, type Queryable } from '@gp/pg';
import { refuseBadInput } from '../group/refusals.ts';
import { hasWord } from './accents.ts';
import { ACTIVE_AT, CUSTOMER, type CustomerRow } from './list-customers.ts';

type Scope = { readonly merchantId: string; readonly mode: string };

export const MOST_FOUND = 5;

/** Customers, from the latest payment on, whose names are searched for the beginning of any word. */
const NEAR = 2_000;

const TEXT = 'lower($3::text)';
const OWN = 'c.merchant_id = $1 and c.mode = $2';
const LATEST_FIRST = 'order by last_payment_at desc, id desc';

/**
 * As in the search of groups: a beginning may match most names, so the customers with the latest payments are looked at
 * first, by customers_by_activity, and customers_by_name is read only where these gave less than a page. A whole e-mail address is
 * read from the index of customers_are_known_by_email. Exported for a test of its plan.
 */
export const searchStatement = statement<CustomerRow>(
  'ledger.search-customers',
  `with newest as materialized (
     select ${CUSTOMER} from customers c where ${OWN} order by ${ACTIVE_AT} desc, c.id desc limit ${NEAR}
   ), near as materialized (
     select * from newest where ${hasWord('name', '$3::text')} ${LATEST_FIRST} limit ${MOST_FOUND + 1}
   )
   select * from (
     select * from near
     union
     select ${CUSTOMER} from customers c
     where (select count(*) from near) <= ${MOST_FOUND} and ${OWN}
       and lower(c.name) collate "C" between ${TEXT} and ${TEXT} || chr(1114111)
     union
     select ${CUSTOMER} from customers c where ${OWN} and c.email = ${TEXT}
   ) f ${LATEST_FIRST} limit ${MOST_FOUND + 1}`,
);

/** Finds a merchant's customers by a text, one more than MOST_FOUND at most, those with the latest payment first. */
export function searchCustomers(
  q: Queryable,
  { merchantId, mode }: Scope,
  text: string,
): Promise<CustomerRow[]> {
  return q.query(searchStatement, [merchantId, mode, text]).catch(refuseBadInput);
}
