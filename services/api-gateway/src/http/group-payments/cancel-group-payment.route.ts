import { toScope } from '../../app/callers/caller.ts';
import { pathId, type Handle } from '../request/endpoint.ts';
import { answerOnce } from '../request/idempotency.ts';
import type { RouteParts } from '../route-parts.ts';

/** POST /v1/group-payments/{id}/cancel */
export function cancelGroupPayment({ once, services, views }: RouteParts): Handle {
  return async (request, caller) => {
    const group_id = pathId(request, 'group payment');
    return answerOnce(once, { request, caller, body: {} }, async (identity) => {
      const cancel = { ...identity, ...toScope(caller), group_id, actor: 'merchant' };
      return { status: 200, body: views.full(await services.cancelGroup(cancel)) };
    });
  };
}
