import type { RequestLogEntry, RequestLogItem } from '@gp/contracts';
import type { FoundRequestLog, ListedRequestLog } from './request-logs.ts';

/** Returns a logged request as lists show it. */
export function toItem(row: ListedRequestLog): RequestLogItem {
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
  };
}

/** Returns the bodies of a logged request. */
export function toBodies({
  requestBody,
  responseBody,
}: FoundRequestLog): Pick<RequestLogEntry, 'request_body' | 'response_body'> {
  return { request_body: parseBody(requestBody), response_body: parseBody(responseBody) };
}

/** Every body that is kept is an object. */
const parseBody = (text: string | null) =>
  text === null ? null : (JSON.parse(text) as Record<string, unknown>);

/** A UUID of version 7 begins with its milliseconds since the epoch. */
export const readInstant = (id: string): string =>
  new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toISOString();
