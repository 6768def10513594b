import { toScope } from '../../app/callers/caller.ts';
import { pathId, type Handle } from '../request/endpoint.ts';
import type { RouteParts } from '../route-parts.ts';

/** GET /v1/group-payments/{id} */
export function getGroupPayment({ services, views }: RouteParts): Handle {
  return async (request, caller) => {
    const group_id = pathId(request, 'group payment');
    const found = await services.findGroup({ ...toScope(caller), group_id });
    const view = caller.kind === 'session_token' ? views.forPayers : views.full;
    return { status: 200, body: view(found) };
  };
}
