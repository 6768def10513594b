import { publicApi } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { toFilter } from '../app/request-logs/request-log.filter.ts';
import { toBodies, toItem } from '../app/request-logs/request-log.view.ts';
import type { ListedRequestLog } from '../app/request-logs/request-logs.ts';
import { listCursors } from './request/cursor.ts';
import { pathId, type Handle } from './request/endpoint.ts';
import { queryReader } from './request/validator.ts';
import type { RouteParts } from './route-parts.ts';

const read = queryReader(publicApi.ListRequestLogsQuery);
const DEFAULT_LIMIT = 20;

/** GET /v1/request-logs */
export function listRequestLogs({ requestLogs, seal }: RouteParts): Handle {
  const cursors = listCursors<string>(seal, 'request-logs');
  return async (request, caller) => {
    const { limit = DEFAULT_LIMIT, cursor, ...filter } = read(request.query);
    const { merchantId, mode } = caller;
    const { rows, next } = await requestLogs.list({
      merchantId,
      mode,
      limit,
      before: cursor === undefined ? null : cursors.read(caller, cursor),
      ...toFilter(filter),
    });
    const next_cursor = next && cursors.after(caller, next);
    const pagination = { limit, has_more: next !== null, next_cursor };
    return { status: 200, body: { request_logs: rows.map(listItem), pagination } };
  };
}

/** GET /v1/request-logs/{id} */
export function getRequestLog({ requestLogs }: RouteParts): Handle {
  return async (request, { merchantId, mode }) => {
    const found = await requestLogs.find({ id: pathId(request, 'request log'), merchantId, mode });
    if (!found) throw notFound('request log');
    return { status: 200, body: { ...listItem(found), ...toBodies(found) } };
  };
}

const listItem = (row: ListedRequestLog) => ({ ...toItem(row), is_test_mode: row.mode === 'test' });
