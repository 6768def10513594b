import { parseInstant, publicApi, type ListPosition } from '@gp/contracts';
import { toScope } from '../../app/callers/caller.ts';
import { listCursors } from '../request/cursor.ts';
import { pathId, type Handle } from '../request/endpoint.ts';
import type { RouteParts } from '../route-parts.ts';
import { queryReader } from '../request/validator.ts';

const read = queryReader(publicApi.ListEventsQuery);
const DEFAULT_LIMIT = 20;

/** GET /v1/events */
export function listEvents({ services, seal }: RouteParts): Handle {
  const cursors = listCursors<ListPosition>(seal, 'events');
  return async (request, caller) => {
    const { limit = DEFAULT_LIMIT, cursor, ...filter } = read(request.query);
    const { events, next } = await services.listEvents({
      ...toScope(caller),
      limit,
      ...toFilter(filter),
      ...(cursor !== undefined && { after: cursors.read(caller, cursor) }),
    });
    const next_cursor = next && cursors.after(caller, next);
    return { status: 200, body: { events, pagination: { limit, has_more: next !== null, next_cursor } } };
  };
}

/** GET /v1/events/{id} */
export function getEvent({ services }: RouteParts): Handle {
  return async (request, caller) => {
    const id = pathId(request, 'event');
    return { status: 200, body: await services.findEvent({ ...toScope(caller), id }) };
  };
}

/** Both bounds include the instants shown: events show their time in milliseconds. */
function toFilter({ delivered, created_after, created_before, ...exact }: publicApi.ListEventsQuery) {
  const after = created_after === undefined ? undefined : parseInstant(created_after);
  const before = created_before === undefined ? undefined : parseInstant(created_before);
  return {
    ...exact,
    ...(after && { created_after: after.toISOString() }),
    ...(before && { created_before: before.toISOString() }),
    ...(delivered !== undefined && { delivered: delivered === 'true' }),
  };
}
