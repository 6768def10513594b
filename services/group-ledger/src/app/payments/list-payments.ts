import { fitting } from '@gp/bus';
import type * as contracts from '@gp/contracts';
import type { IntentState, ListPosition, PaymentView, RequestOf, ResponseOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import type { Db } from '@gp/pg';
import * as rows from '../../db/lookups/list-payments.ts';
import { toScope } from '../change/change-group.ts';

type OfGroup = typeof contracts.listPayments;
type OfGroups = typeof contracts.listPaymentsOfGroups;

/** A page of the payments of a group with their payers; not_found for a group that is not this merchant's in this mode. */
export function listPayments(db: Db): (r: RequestOf<OfGroup>) => Promise<ResponseOf<OfGroup>> {
  return async (request) => {
    const { group_id: groupId, limit, after = null } = request;
    const currency = await rows.findCurrencyOfGroup(db, toScope(request), groupId);
    if (currency === undefined) throw notFound('group payment');
    return { currency, ...toPage(await rows.listPayments(db, { groupId, after, limit: limit + 1 }), limit) };
  };
}

/** The newest payments of several groups, in one query: for the first groups of the request, as many as a message holds. */
export function listPaymentsOfGroups(db: Db): (r: RequestOf<OfGroups>) => Promise<ResponseOf<OfGroups>> {
  return async (request) => {
    const { group_ids: groupIds, limit } = request;
    const found = await rows.listPaymentsOfGroups(db, toScope(request), { groupIds, limit: limit + 1 });
    const byGroup = Map.groupBy(found, ({ group_id }) => group_id);
    return { groups: fitting(groupIds.map((id) => toPage(byGroup.get(id) ?? [], limit))) };
  };
}

type Page = { readonly payments: PaymentView[]; readonly next: ListPosition | null };

/** One row more than the requested number shows whether there is another page. */
function toPage(found: readonly rows.ListedPaymentRow[], limit: number): Page {
  const payments = found.slice(0, limit).map(paymentView);
  const last = found.length > limit ? payments.at(-1) : undefined;
  return { payments, next: last ? { created_at: last.created_at, id: last.id } : null };
}

function paymentView(row: rows.ListedPaymentRow): PaymentView {
  const { id, psp_code, unknown, disputed, slot_ids, customer_id, email, name, psp_reference, failure } = row;
  return {
    ...{ id, psp_code, unknown, disputed, slot_ids, customer_id, email, name, psp_reference, failure },
    state: row.state as IntentState,
    amount_minor: String(row.amount_minor),
    captured_minor: String(row.amount_captured),
    refunded_minor: String(row.amount_refunded),
    created_at: row.created_at.toISOString(),
  };
}
