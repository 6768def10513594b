import { fitting } from '@gp/bus';
import type * as contracts from '@gp/contracts';
import type { IntentState, ListPosition, PaymentView, RequestOf, ResponseOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import type { Db } from '@gp/pg';
import { findCustomers } from '../../db/lookups/list-customers.ts';
import * as rows from '../../db/lookups/list-payments.ts';
import { toScope } from '../change/change-group.ts';

type OfGroup = typeof contracts.listPayments;
type OfGroups = typeof contracts.listPaymentsOfGroups;
type OfCustomer = typeof contracts.listPaymentsOfCustomer;

/** A page of the payments of a group with their payers; not_found for a group that is not this merchant's in this mode. */
export function listPayments(db: Db): (r: RequestOf<OfGroup>) => Promise<ResponseOf<OfGroup>> {
  return async (request) => {
    const { group_id: groupId, limit, after = null } = request;
    const currency = await rows.findCurrencyOfGroup(db, toScope(request), groupId);
    if (currency === undefined) throw notFound('group payment');
    const found = await rows.listPayments(db, { groupId, after, limit: limit + 1 });
    return { currency, ...toPage(found, limit, paymentView) };
  };
}

/** The newest payments of several groups, in one query: for the first groups of the request, as many as a message holds. */
export function listPaymentsOfGroups(db: Db): (r: RequestOf<OfGroups>) => Promise<ResponseOf<OfGroups>> {
  return async (request) => {
    const { group_ids: groupIds, limit } = request;
    const found = await rows.listPaymentsOfGroups(db, toScope(request), { groupIds, limit: limit + 1 });
    const byGroup = Map.groupBy(found, ({ group_id }) => group_id);
    return { groups: fitting(groupIds.map((id) => toPage(byGroup.get(id) ?? [], limit, paymentView))) };
  };
}

/** A page of a customer's payments in all groups; not_found for a customer who is not this merchant's in this mode. */
export function listPaymentsOfCustomer(
  db: Db,
): (r: RequestOf<OfCustomer>) => Promise<ResponseOf<OfCustomer>> {
  return async (request) => {
    const { customer_id: customerId, limit, after = null } = request;
    const [customer] = await findCustomers(db, toScope(request), [customerId]);
    if (!customer) throw notFound('customer');
    const found = await rows.listPaymentsOfCustomer(db, { customerId, after, limit: limit + 1 });
    return toPage(found, limit, ({ group_id, group_name, currency, ...row }) => ({
      ...paymentView(row),
      group_id,
      group_name,
      currency,
    }));
  };
}

type Page<View> = { readonly payments: View[]; readonly next: ListPosition | null };

/** One row more than the requested number shows whether there is another page. */
function toPage<Row, View extends PaymentView>(
  found: readonly Row[],
  limit: number,
  view: (row: Row) => View,
): Page<View> {
  const payments = found.slice(0, limit).map(view);
  const last = found.length > limit ? payments.at(-1) : undefined;
  return { payments, next: last ? { created_at: last.created_at, id: last.id } : null };
}

function paymentView(row: rows.ListedPaymentRow): PaymentView {
  const { id, psp_code, unknown, disputed, slot_ids, customer_id, email, name, psp_reference, failure } = row;
  return {
    ...{ id, psp_code, unknown, disputed, slot_ids, customer_id, email, name, psp_reference, failure },
    state: row.state as IntentState,
    amount_minor: String(row.amount_minor),
    ...(row.tip_minor > 0n && { tip_minor: String(row.tip_minor) }),
    ...(row.shown_name !== null && { shown_name: row.shown_name }),
    ...(row.time_zone !== null && { time_zone: row.time_zone }),
    captured_minor: String(row.amount_captured),
    refunded_minor: String(row.amount_refunded),
    created_at: row.created_at.toISOString(),
  };
}
