import { publicApi } from '@gp/contracts';
import { toScope } from '../../app/callers/caller.ts';
import { pathId, type Handle } from '../request/endpoint.ts';
import type { RouteParts } from '../route-parts.ts';
import { queryReader } from '../request/validator.ts';
import { expandCustomers } from './expand-customers.ts';
import { paymentCursors, paymentListView } from './payment.view.ts';

const read = queryReader(publicApi.ListPaymentsQuery);
const DEFAULT_LIMIT = 20;

/** GET /v1/group-payments/{id}/payments */
export function listPayments({ services, seal }: RouteParts): Handle {
  const view = paymentListView(seal);
  const addCustomers = expandCustomers({ services });
  return async (request, caller) => {
    const id = pathId(request, 'group payment');
    const { limit = DEFAULT_LIMIT, cursor, ...query } = read(request.query);
    const { currency, ...page } = await services.listPayments({
      ...toScope(caller),
      group_id: id,
      limit,
      ...(cursor !== undefined && { after: paymentCursors(seal, id).read(caller, cursor) }),
    });
    const payers = page.payments.map(({ customer_id }) => customer_id);
    const customers = await addCustomers(caller, query, payers);
    return { status: 200, body: { ...view(caller, { id, currency }, { ...page, limit }), ...customers } };
  };
}
