import type { ListPosition, PaymentView } from '@gp/contracts';
import type { Seal } from '@gp/seal';
import type { Caller } from '../../app/callers/caller.ts';
import { listCursors, type ListCursors } from '../request/cursor.ts';
import { shownAmount } from './group-payment.view.ts';

/** The group whose payments are shown. */
type Group = { readonly id: string; readonly currency: string };
/** Payments of a group, newest first, at most `limit`, and the position behind them when there are more. */
type Page = {
  readonly payments: readonly PaymentView[];
  readonly next: ListPosition | null;
  readonly limit: number;
};

/** Returns the cursors of the payments of one group. */
export const paymentCursors = (seal: Seal, groupId: string): ListCursors<ListPosition> =>
  listCursors(seal, `payments/${groupId}`);

/** Builds the body of a page of payments, for `GET …/payments` and for `expand=payments`. */
export function paymentListView(seal: Seal) {
  return (caller: Caller, group: Group, { payments, next, limit }: Page) => ({
    payments: payments.map((payment) => buildPayment(payment, group, caller)),
    pagination: {
      limit,
      has_more: next !== null,
      next_cursor: next && paymentCursors(seal, group.id).after(caller, next),
    },
  });
}

/** Builds a payment of a group as every list of payments shows it. */
export function buildPayment(payment: PaymentView, { id, currency }: Group, caller: Caller) {
  return {
    payment_intent_id: payment.id,
    group_payment_id: id,
    psp_code: payment.psp_code,
    state: payment.state,
    is_outcome_unknown: payment.unknown,
    is_disputed: payment.disputed,
    amount: shownAmount(payment.amount_minor, currency),
    ...(payment.tip_minor !== undefined && { tip: shownAmount(payment.tip_minor, currency) }),
    amount_captured: shownAmount(payment.captured_minor, currency),
    amount_refunded: shownAmount(payment.refunded_minor, currency),
    currency,
    slot_ids: payment.slot_ids,
    customer_id: payment.customer_id,
    customer_email: payment.email,
    customer_name: payment.name,
    ...(payment.shown_name !== undefined && { shown_name: payment.shown_name }),
    gateway_reference: payment.psp_reference,
    failure: payment.failure,
    is_test_mode: caller.mode === 'test',
    created_at: payment.created_at,
  };
}
