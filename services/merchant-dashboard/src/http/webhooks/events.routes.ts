import { parseInstant, publicApi, type SentEvent } from '@gp/contracts';
import type { Route } from '@gp/http';
import Type from '@gp/bundled/typebox';
import type { WebParts } from '../../app/ports.ts';
import { closed } from '../../app/input/input.ts';
import { queryReader } from '../../app/input/reader.ts';
import { endOfMillisecond } from '../../domain/instant.ts';
import type { EventPage, ListedEvent } from '../api.ts';
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
      const scope = toScope(member, mode);
      const asked = { ...scope, limit, ...toFilter(filter), ...toListOptions(cursor) };
      const { events, next } = await services.listEvents(asked);
      const body: EventPage = {
        events: await withNames(services, scope, events),
        next_cursor: formatCursor(next),
      };
      return { status: 200, body };
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

/** Returns events with the names of their group payments, by one call; without names while the ledger is unavailable. */
async function withNames(
  { sumGroups }: WebParts['services'],
  scope: ReturnType<typeof toScope>,
  events: readonly SentEvent[],
): Promise<ListedEvent[]> {
  const group_ids = [...new Set(events.map(readGroupId))].filter((id) => id !== undefined);
  const reply =
    group_ids.length > 0 ? await sumGroups({ ...scope, group_ids }).catch(() => undefined) : undefined;
  const names = new Map(reply?.sums.map(({ group_id, group_name }) => [group_id, group_name]));
  return events.map((event) => ({ ...event, group_name: names.get(readGroupId(event) ?? '') ?? null }));
}

function readGroupId({ data }: SentEvent): string | undefined {
  const id = data['group_payment_id'];
  return typeof id === 'string' ? id : undefined;
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
