import { toScope } from '../../app/callers/caller.ts';
import { between } from '../../fail-points.ts';
import { pathId, type Handle } from '../request/endpoint.ts';
import { answerOnce } from '../request/idempotency.ts';
import type { RouteParts } from '../route-parts.ts';

/** POST /v1/group-payments/{id}/roll-organiser-link */
export function rollOrganiserLink({ once, services, views }: RouteParts): Handle {
  return async (request, caller) => {
    const group_id = pathId(request, 'group payment');
    return answerOnce(once, { request, caller, body: {} }, async (identity) => {
      const roll = { ...identity, ...toScope(caller), group_id, actor: 'merchant' };
      const { token } = await between('link-roll', () => services.rollOrganiserToken(roll));
      return {
        status: 200,
        body: { group_payment_id: group_id, organiser_url: views.organiserUrl(token) },
      };
    });
  };
}
