import { parseInstant, publicApi, type Mode, type RequestLogItem } from '@gp/contracts';
import type { Route } from '@gp/http';
import Type from '@gp/bundled/typebox';
import type { WebParts } from '../../app/ports.ts';
import { closed } from '../../app/input/input.ts';
import { queryReader } from '../../app/input/reader.ts';
import { listKeyNames } from '../../app/settings/list-settings.ts';
import type { LoggedRequest, LoggedRequestDetail, RequestPage } from '../api.ts';
import { formatCursor, readRows, toListOptions } from '../request/cursor.ts';
import { guards, type Member } from '../request/guards.ts';
import { FILE_PAGE, ListFormat, sendFiles, type Column } from '../request/list-file.ts';
import { pathId } from '../request/path-id.ts';
import { perMode, toScope } from '../request/per-mode.ts';

const read = queryReader(publicApi.ListRequestLogsQuery);
const { limit: _limit, cursor: _cursor, ...filters } = publicApi.ListRequestLogsQuery.properties;
const readExport = queryReader(Type.Object({ ...filters, format: ListFormat }, closed));
const DEFAULT_LIMIT = 20;
const COLUMNS: readonly Column<LoggedRequest>[] = [
  'created_at',
  'request_id',
  'method',
  'path',
  'query',
  'route',
  'status',
  'error_code',
  'duration_ms',
  ['key_id', ({ key }) => key?.id],
  ['key_name', ({ key }) => key?.name],
  ['key_last4', ({ key }) => key?.last4],
  'id',
];

/** Routes of the log of a mode's requests to the API. */
export function requestRoutes(parts: WebParts): Route[] {
  const { db, services } = parts;
  const { allowed } = guards(db);
  const sendFile = sendFiles(parts);
  /** Names the keys of requests. */
  const withKeys = async <T extends RequestLogItem>(member: Member, mode: Mode, items: readonly T[]) => {
    const known = await listKeyNames(db, member.merchantId, mode);
    return items.map(({ key_id, ...item }) => ({
      ...item,
      key: key_id === null ? null : (known.get(key_id) ?? { id: key_id, name: null, last4: null }),
    }));
  };
  return perMode(({ mode, at }) => [
    allowed('read', ['GET', at('requests')], async (request, member) => {
      const { limit = DEFAULT_LIMIT, cursor, ...filter } = read(request.query);
      const asked = { ...toScope(member, mode), limit, ...toFilter(filter), ...toListOptions(cursor) };
      const { request_logs, next } = await services.listRequestLogs(asked);
      const requests: LoggedRequest[] = await withKeys(member, mode, request_logs);
      return { status: 200, body: { requests, next_cursor: formatCursor(next) } satisfies RequestPage };
    }),
    allowed('read', ['GET', at('requests/export')], async (request, member) => {
      const { format, ...filter } = readExport(request.query);
      const asked = { ...toScope(member, mode), limit: FILE_PAGE, ...toFilter(filter) };
      const pages = readRows(
        (from) => services.listRequestLogs({ ...asked, ...from }),
        ({ request_logs }): Promise<LoggedRequest[]> => withKeys(member, mode, request_logs),
      );
      return sendFile(request, member, { name: `requests-${mode}`, format, columns: COLUMNS, pages });
    }),
    allowed('read', ['GET', at('requests/:id')], async (request, member) => {
      const asked = { ...toScope(member, mode), id: pathId(request, 'request') };
      const [found] = await withKeys(member, mode, [await services.findRequestLog(asked)]);
      return { status: 200, body: found satisfies LoggedRequestDetail | undefined };
    }),
  ]);
}

function toFilter({
  created_after,
  created_before,
  ...exact
}: Omit<publicApi.ListRequestLogsQuery, 'limit' | 'cursor'>) {
  const after = created_after === undefined ? undefined : parseInstant(created_after);
  const before = created_before === undefined ? undefined : parseInstant(created_before);
  return {
    ...exact,
    ...(after && { created_after: after.toISOString() }),
    ...(before && { created_before: before.toISOString() }),
  };
}
