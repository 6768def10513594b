import { parseInstant, publicApi } from '@gp/contracts';
import { notFound } from '@gp/errors';
import type { FoundRequestLog, ListedRequestLog } from '../app/request-logs/request-logs.ts';
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
    return { status: 200, body: { request_logs: rows.map(toItem), pagination } };
  };
}

/** GET /v1/request-logs/{id} */
export function getRequestLog({ requestLogs }: RouteParts): Handle {
  return async (request, { merchantId, mode }) => {
    const found = await requestLogs.find({ id: pathId(request, 'request log'), merchantId, mode });
    if (!found) throw notFound('request log');
    return { status: 200, body: toEntry(found) };
  };
}

type Filter = Omit<publicApi.ListRequestLogsQuery, 'limit' | 'cursor'>;

function toFilter(filter: Filter) {
  const { status_class, method, path, key_id, request_id, created_after, created_before } = filter;
  return {
    statusClass: status_class === undefined ? null : Number(status_class.charAt(0)),
    method: method ?? null,
    path: path ?? null,
    keyId: key_id?.toLowerCase() ?? null,
    requestId: request_id ?? null,
    fromMs: readMs(created_after),
    toMs: readMs(created_before),
  };
}

const readMs = (text: string | undefined): number | null =>
  text === undefined ? null : (parseInstant(text)?.getTime() ?? null);

function toItem(row: ListedRequestLog) {
  return {
    id: row.id,
    request_id: row.requestId,
    created_at: readInstant(row.id),
    method: row.method,
    route: row.route,
    path: row.path,
    query: row.query,
    status: row.status,
    error_code: row.errorCode,
    duration_ms: row.durationMs,
    key_id: row.keyId,
    is_test_mode: row.mode === 'test',
  };
}

const toEntry = ({ requestBody, responseBody, ...row }: FoundRequestLog) => ({
  ...toItem(row),
  request_body: parseBody(requestBody),
  response_body: parseBody(responseBody),
});

const parseBody = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

/** A UUID of version 7 begins with its milliseconds since the epoch. */
const readInstant = (id: string): string =>
  new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toISOString();
