import { publicApi, type ListPosition, type PaymentView } from '@gp/contracts';
import { toScope, type Caller } from '../../app/callers/caller.ts';
import { listCursors } from '../request/cursor.ts';
import { pathId, type Handle } from '../request/endpoint.ts';
import type { RouteParts } from '../route-parts.ts';
import { queryReader } from '../request/validator.ts';
import { shownAmount } from './group-payment.view.ts';

const read = queryReader(publicApi.ListPaymentsQuery);
const DEFAULT_LIMIT = 20;

/** GET /v1/group-payments/{id}/payments */
export function listPayments({ services, seal }: RouteParts): Handle {
  return async (request, caller) => {
    const group_id = pathId(request, 'group payment');
    const cursors = listCursors<ListPosition>(seal, `payments/${group_id}`);
    const { limit = DEFAULT_LIMIT, cursor } = read(request.query);
    const { payments, currency, next } = await services.listPayments({
      ...toScope(caller),
      group_id,
      limit,
      ...(cursor !== undefined && { after: cursors.read(caller, cursor) }),
    });
    const shown = payments.map((payment) => buildPayment(payment, { group_id, currency, caller }));
    const next_cursor = next && cursors.after(caller, next);
    const pagination = { limit, has_more: next !== null, next_cursor };
    return { status: 200, body: { payments: shown, pagination } };
  };
}

function buildPayment(
  payment: PaymentView,
  { group_id, currency, caller }: { group_id: string; currency: string; caller: Caller },
) {
  return {
    payment_intent_id: payment.id,
    group_payment_id: group_id,
    psp_code: payment.psp_code,
    state: payment.state,
    is_outcome_unknown: payment.unknown,
    is_disputed: payment.disputed,
    amount: shownAmount(payment.amount_minor, currency),
    amount_captured: shownAmount(payment.captured_minor, currency),
    amount_refunded: shownAmount(payment.refunded_minor, currency),
    currency,
    slot_ids: payment.slot_ids,
    customer_id: payment.customer_id,
    customer_email: payment.email,
    customer_name: payment.name,
    gateway_reference: payment.psp_reference,
    failure: payment.failure,
    is_test_mode: caller.mode === 'test',
    created_at: payment.created_at,
  };
}
