import { parseInstant, publicApi } from '@gp/contracts';
import type { Route } from '@gp/http';
import type { WebParts } from '../../app/ports.ts';
import { queryReader } from '../../app/input/reader.ts';
import { endOfMillisecond } from '../../domain/instant.ts';
import type { EventPage } from '../api.ts';
import { toListOptions, formatCursor } from '../request/cursor.ts';
import { guards } from '../request/guards.ts';
import { pathId } from '../request/path-id.ts';
import { perMode, toScope } from '../request/per-mode.ts';

const read = queryReader(publicApi.ListEventsQuery);
const DEFAULT_LIMIT = 20;

/** Routes of a mode's events, as receivers got them. */
export function eventRoutes({ db, services }: WebParts): Route[] {
  const { allowed } = guards(db);
  return perMode(({ mode, at }) => [
    allowed('read', ['GET', at('events')], async (request, member) => {
      const { limit = DEFAULT_LIMIT, cursor, ...filter } = read(request.query);
      const asked = { ...toScope(member, mode), limit, ...toFilter(filter), ...toListOptions(cursor) };
      const { events, next } = await services.listEvents(asked);
      return { status: 200, body: { events, next_cursor: formatCursor(next) } satisfies EventPage };
    }),
    allowed('read', ['GET', at('events/:id')], async (request, member) => {
      const asked = { ...toScope(member, mode), id: pathId(request, 'event') };
      return { status: 200, body: await services.findEvent(asked) };
    }),
  ]);
}

function toFilter({
  delivered,
  created_after,
  created_before,
  ...exact
}: Omit<publicApi.ListEventsQuery, 'limit' | 'cursor'>) {
  const after = created_after === undefined ? undefined : parseInstant(created_after);
  const before = created_before === undefined ? undefined : parseInstant(created_before);
  return {
    ...exact,
    ...(delivered && { delivered: delivered === 'true' }),
    ...(after && { created_after: after.toISOString() }),
    ...(before && { created_before: endOfMillisecond(before) }),
  };
}
