import { parseInstant, publicApi, type ListPosition } from '@gp/contracts';
import { toScope } from '../app/callers/caller.ts';
import { customerItem } from './customer.view.ts';
import { shownAmount } from './group-payments/group-payment.view.ts';
import { buildPayment } from './group-payments/payment.view.ts';
import { listCursors } from './request/cursor.ts';
import { pathId, type Handle } from './request/endpoint.ts';
import { queryReader } from './request/validator.ts';
import type { RouteParts } from './route-parts.ts';

const readList = queryReader(publicApi.ListCustomersQuery);
const readPayments = queryReader(publicApi.ListCustomerPaymentsQuery);
const DEFAULT_LIMIT = 20;

/** GET /v1/customers */
export function listCustomers({ services, seal }: RouteParts): Handle {
  const cursors = listCursors<ListPosition>(seal, 'customers');
  return async (request, caller) => {
    const { limit = DEFAULT_LIMIT, cursor, ...filter } = readList(request.query);
    const { customers, next } = await services.listCustomers({
      ...toScope(caller),
      limit,
      ...(cursor !== undefined && { after: cursors.read(caller, cursor) }),
      ...toFilter(filter),
    });
    const next_cursor = next && cursors.after(caller, next);
    const shown = customers.map((customer) => customerItem(customer, caller));
    return {
      status: 200,
      body: { customers: shown, pagination: { limit, has_more: next !== null, next_cursor } },
    };
  };
}

/** GET /v1/customers/{id} */
export function getCustomer({ services }: RouteParts): Handle {
  return async (request, caller) => {
    const customer_id = pathId(request, 'customer');
    const { customer, payment_counts, sums } = await services.findCustomer({
      ...toScope(caller),
      customer_id,
    });
    const amounts = sums.map(({ currency, on_hold_minor, captured_minor, refunded_minor }) => ({
      currency,
      amount_on_hold: shownAmount(on_hold_minor, currency),
      amount_captured: shownAmount(captured_minor, currency),
      amount_refunded: shownAmount(refunded_minor, currency),
    }));
    return { status: 200, body: { ...customerItem(customer, caller), payment_counts, amounts } };
  };
}

/** GET /v1/customers/{id}/payments */
export function listCustomerPayments({ services, seal }: RouteParts): Handle {
  return async (request, caller) => {
    const customer_id = pathId(request, 'customer');
    const cursors = listCursors<ListPosition>(seal, `customers/${customer_id}/payments`);
    const { limit = DEFAULT_LIMIT, cursor } = readPayments(request.query);
    const { payments, next } = await services.listPaymentsOfCustomer({
      ...toScope(caller),
      customer_id,
      limit,
      ...(cursor !== undefined && { after: cursors.read(caller, cursor) }),
    });
    const shown = payments.map(({ group_id, currency, ...payment }) =>
      buildPayment(payment, { id: group_id, currency }, caller),
    );
    const next_cursor = next && cursors.after(caller, next);
    return {
      status: 200,
      body: { payments: shown, pagination: { limit, has_more: next !== null, next_cursor } },
    };
  };
}

type Filter = Omit<publicApi.ListCustomersQuery, 'limit' | 'cursor'>;

/** The bounds as instants of UTC, to the millisecond with which customers are stored. */
function toFilter({ customer_email, ...bounds }: Filter): Partial<Record<keyof Filter, string>> {
  const instants = Object.entries<string>(bounds).flatMap(([name, text]) => {
    const instant = parseInstant(text);
    return instant ? [[name, instant.toISOString()] as const] : [];
  });
  return { ...Object.fromEntries(instants), ...(customer_email !== undefined && { customer_email }) };
}
