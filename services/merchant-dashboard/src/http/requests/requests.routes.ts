import { parseInstant, publicApi, type Mode, type RequestLogItem } from '@gp/contracts';
import type { Route } from '@gp/http';
import type { WebParts } from '../../app/ports.ts';
import { queryReader } from '../../app/input/reader.ts';
import { listKeyNames } from '../../app/settings/list-settings.ts';
import type { LoggedRequest, LoggedRequestDetail, RequestPage } from '../api.ts';
import { formatCursor, toListOptions } from '../request/cursor.ts';
import { guards, type Member } from '../request/guards.ts';
import { pathId } from '../request/path-id.ts';
import { perMode, toScope } from '../request/per-mode.ts';

const read = queryReader(publicApi.ListRequestLogsQuery);
const DEFAULT_LIMIT = 20;

/** Routes of the log of a mode's requests to the API. */
export function requestRoutes({ db, services }: WebParts): Route[] {
  const { allowed } = guards(db);
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
