import { publicApi, type GroupWithSlots } from '@gp/contracts';
import { AppError } from '@gp/errors';
import { toScope } from '../../app/callers/caller.ts';
import { pathId, type Handle } from '../request/endpoint.ts';
import type { RouteParts } from '../route-parts.ts';
import { queryReader } from '../request/validator.ts';
import { expandCustomers } from './expand-customers.ts';
import { expandPayments } from './expand-payments.ts';

const read = queryReader(publicApi.GetGroupPaymentQuery);

/** GET /v1/group-payments/{id} */
export function getGroupPayment({ services, views, seal }: RouteParts): Handle {
  const addPayments = expandPayments({ services, seal });
  const addCustomers = expandCustomers({ services });
  return async (request, caller) => {
    const group_id = pathId(request, 'group payment');
    const query = read(request.query);
    const found = await services.findGroup({ ...toScope(caller), group_id });
    const [expanded] = await addPayments(caller, query, [found.group]);
    const customers = await addCustomers(caller, query, [
      ...found.slots.map(({ assigned_customer_id }) => assigned_customer_id),
      ...(expanded?.payments?.payments ?? []).map(({ customer_id }) => customer_id),
    ]);
    if (caller.kind === 'secret_key')
      return { status: 200, body: { ...views.full(found), ...expanded, ...customers } };
    refuseOlderLink(found, caller.linkNumber);
    return { status: 200, body: views.forPayers(found) };
  };
}

/**
 * The response holds the checkout link. A token from before the link was replaced ends within a second (X13), which
 * would be long enough to read the new link with it.
 */
function refuseOlderLink({ group }: GroupWithSlots, linkNumber: number): void {
  if (linkNumber < (group.link_number ?? 0)) throw new AppError('unauthorized');
}
