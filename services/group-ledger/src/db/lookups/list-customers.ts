import type { ListPosition } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';
import { refuseBadInput } from '../group/refusals.ts';

type Scope = { readonly merchantId: string; readonly mode: string };

export type CustomerRow = {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly created_at: Date;
  readonly last_payment_at: Date;
};

/** Bounds include their instants; null or undefined where none is asked for. */
export type CustomerFilter = {
  /** Lower case, as customers are stored. */
  readonly email: string | undefined;
  readonly createdAfter: string | undefined;
  readonly createdBefore: string | undefined;
  readonly lastPaymentAfter: string | undefined;
  readonly lastPaymentBefore: string | undefined;
  /** Only those behind this place. */
  readonly after: ListPosition | undefined;
  readonly limit: number;
};

/** When the last payment was started; the index customers_by_activity repeats it. */
export const ACTIVE_AT = 'coalesce(c.last_payment_at, c.created_at)';
/** The columns of a CustomerRow. */
export const CUSTOMER = `c.id, c.email, c.name, c.created_at, ${ACTIVE_AT} as last_payment_at`;

/** The first place of the list: every customer is behind it. */
const BEGINNING: ListPosition = { created_at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

// All bounds always have a value: with "is null or" they would be no conditions of the index. A last payment is never
// before the first one, so the bound of the first is one of the last as well.
const OWN = `c.merchant_id = $1 and c.mode = $2
   and ${ACTIVE_AT} >= greatest($3::timestamptz, $4::timestamptz) and ${ACTIVE_AT} <= $5::timestamptz
   and (${ACTIVE_AT}, c.id) < ($6::timestamptz, $7::uuid)
   and c.created_at >= $3 and c.created_at <= $8::timestamptz`;
const NEWEST_FIRST = `order by ${ACTIVE_AT} desc, c.id desc limit $9`;

/** Reads customers_by_activity backwards; exported for a test of its plan. */
export const pageStatement = statement<CustomerRow>(
  'ledger.list-customers',
  `select ${CUSTOMER} from customers c where ${OWN} ${NEWEST_FIRST}`,
);
// Reads the index of customers_are_known_by_email: one customer at most.
const ofEmail = statement<CustomerRow>(
  'ledger.list-customers-by-email',
  `select ${CUSTOMER} from customers c where ${OWN} and c.email = $10 ${NEWEST_FIRST}`,
);
const several = statement<CustomerRow>(
  'ledger.find-customers',
  `select ${CUSTOMER} from customers c where c.id = any($3::uuid[]) and c.merchant_id = $1 and c.mode = $2`,
);

/** A merchant's customers behind a place, those with the latest payment first. */
export function listCustomers(
  q: Queryable,
  { merchantId, mode }: Scope,
  f: CustomerFilter,
): Promise<CustomerRow[]> {
  const { created_at: before, id } = f.after ?? BEGINNING;
  const values = [
    merchantId,
    mode,
    f.createdAfter ?? '-infinity',
    f.lastPaymentAfter ?? '-infinity',
    f.lastPaymentBefore ?? 'infinity',
    before,
    id,
    f.createdBefore ?? 'infinity',
    f.limit,
  ];
  const asked =
    f.email === undefined ? q.query(pageStatement, values) : q.query(ofEmail, [...values, f.email]);
  return asked.catch(refuseBadInput);
}

/** Those of the customers that are this merchant's in this mode, in no order. */
export function findCustomers(
  q: Queryable,
  { merchantId, mode }: Scope,
  ids: readonly string[],
): Promise<CustomerRow[]> {
  return q.query(several, [merchantId, mode, ids]);
}
