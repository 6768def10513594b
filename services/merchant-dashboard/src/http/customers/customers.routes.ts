import { parseInstant, publicApi } from '@gp/contracts';
import type { Route } from '@gp/http';
import type { WebParts } from '../../app/ports.ts';
import { queryReader } from '../../app/input/reader.ts';
import type { CustomerDetail, CustomerPage, CustomerPaymentPage } from '../api.ts';
import { formatCursor, toListOptions } from '../request/cursor.ts';
import { guards } from '../request/guards.ts';
import { pathId } from '../request/path-id.ts';
import { perMode, toScope } from '../request/per-mode.ts';
import { amountsView, paymentView } from './customers.view.ts';

const readList = queryReader(publicApi.ListCustomersQuery);
const readPayments = queryReader(publicApi.ListCustomerPaymentsQuery);
const DEFAULT_LIMIT = 20;
const NOUN = 'customer';

/** Routes of a mode's customers and of their payments. */
export function customerRoutes({ db, services }: WebParts): Route[] {
  const { allowed } = guards(db);
  return perMode(({ mode, at }) => [
    allowed('read', ['GET', at('customers')], async ({ query }, member) => {
      const { limit = DEFAULT_LIMIT, cursor, ...filter } = readList(query);
      const asked = { ...toScope(member, mode), limit, ...toFilter(filter), ...toListOptions(cursor) };
      const { customers, next } = await services.listCustomers(asked);
      return { status: 200, body: { customers, next_cursor: formatCursor(next) } satisfies CustomerPage };
    }),
    allowed('read', ['GET', at('customers/:id')], async (request, member) => {
      const asked = { ...toScope(member, mode), customer_id: pathId(request, NOUN) };
      const { customer, payment_counts, sums } = await services.findCustomer(asked);
      const body: CustomerDetail = { ...customer, payment_counts, amounts: sums.map(amountsView) };
      return { status: 200, body };
    }),
    allowed('read', ['GET', at('customers/:id/payments')], async (request, member) => {
      const { limit = DEFAULT_LIMIT, cursor } = readPayments(request.query);
      const customer = { ...toScope(member, mode), customer_id: pathId(request, NOUN) };
      const asked = { ...customer, limit, ...toListOptions(cursor) };
      const { payments, next } = await services.listPaymentsOfCustomer(asked);
      const body: CustomerPaymentPage = {
        payments: payments.map(paymentView),
        next_cursor: formatCursor(next),
      };
      return { status: 200, body };
    }),
  ]);
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
