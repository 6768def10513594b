import { publicApi } from '@gp/contracts';
import { scopeOf } from '../app/caller.ts';
import { instantOf } from '../domain/instant.ts';
import type { Handle } from './endpoint.ts';
import type { RouteParts } from './routes.ts';
import { queryReader } from './validator.ts';

const read = queryReader(publicApi.ListGroupPaymentsQuery);
const DEFAULT_LIMIT = 20;

/** GET /v1/group-payments */
export function listGroupPayments({ neighbours, views }: RouteParts): Handle {
  return async (request, caller) => {
    const { limit = DEFAULT_LIMIT, offset = 0, state, created_after, created_before } = read(request.query);
    const after = created_after === undefined ? undefined : instantOf(created_after);
    const before = created_before === undefined ? undefined : instantOf(created_before);
    const { groups, total } = await neighbours.listGroups({
      ...scopeOf(caller),
      limit,
      offset,
      ...(state && { state }),
      ...(after && { created_after: after.toISOString() }),
      ...(before && { created_before: endOfMillisecond(before) }),
    });
    const has_more = offset + groups.length < total;
    return {
      status: 200,
      body: { group_payments: groups.map(views.item), pagination: { limit, offset, total, has_more } },
    };
  };
}

/** Both bounds include what is shown: a group created at .1234 s is shown as created at .123 s. */
function endOfMillisecond(instant: Date): string {
  return instant.toISOString().replace('Z', '999Z');
}
