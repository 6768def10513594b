import { parseInstant, publicApi } from '@gp/contracts';
import type { Route } from '@gp/http';
import Type from '@gp/bundled/typebox';
import type { WebParts } from '../../app/ports.ts';
import { closed } from '../../app/input/input.ts';
import { queryReader } from '../../app/input/reader.ts';
import { endOfMillisecond } from '../../domain/instant.ts';
import type { EventPage } from '../api.ts';
import { toListOptions, formatCursor, readRows } from '../request/cursor.ts';
import { guards } from '../request/guards.ts';
import { FILE_PAGE, ListFormat, sendFiles } from '../request/list-file.ts';
import { pathId } from '../request/path-id.ts';
import { perMode, toScope } from '../request/per-mode.ts';
import { EVENT_COLUMNS } from './webhook-files.ts';

const read = queryReader(publicApi.ListEventsQuery);
const { limit: _limit, cursor: _cursor, ...filters } = publicApi.ListEventsQuery.properties;
const readExport = queryReader(Type.Object({ ...filters, format: ListFormat }, closed));
const DEFAULT_LIMIT = 20;

/** Routes of a mode's events, as receivers got them. */
export function eventRoutes(parts: WebParts): Route[] {
  const { db, services } = parts;
  const { allowed } = guards(db);
  const sendFile = sendFiles(parts);
  return perMode(({ mode, at }) => [
    allowed('read', ['GET', at('events')], async (request, member) => {
      const { limit = DEFAULT_LIMIT, cursor, ...filter } = read(request.query);
      const asked = { ...toScope(member, mode), limit, ...toFilter(filter), ...toListOptions(cursor) };
      const { events, next } = await services.listEvents(asked);
      return { status: 200, body: { events, next_cursor: formatCursor(next) } satisfies EventPage };
    }),
    allowed('read', ['GET', at('events/export')], async (request, member) => {
      const { format, ...filter } = readExport(request.query);
      const asked = { ...toScope(member, mode), limit: FILE_PAGE, ...toFilter(filter) };
      const pages = readRows(
        (from) => services.listEvents({ ...asked, ...from }),
        ({ events }) => events,
      );
      return sendFile(request, member, { name: `events-${mode}`, format, columns: EVENT_COLUMNS, pages });
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
