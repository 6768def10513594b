import { parseInstant, type listRequestLogs, type RequestOf } from '@gp/contracts';
import type { RequestLogFilter } from '../../db/request-logs.ts';

type Place = 'merchantId' | 'mode' | 'before' | 'limit';
type Fields = Pick<
  RequestOf<typeof listRequestLogs>,
  'status_class' | 'method' | 'path' | 'key_id' | 'request_id' | 'created_after' | 'created_before'
>;

/** Returns the conditions of a list from the fields of a call or a query, which its schema has checked. */
export function toFilter(fields: Fields): Omit<RequestLogFilter, Place> {
  const { status_class, method, path, key_id, request_id, created_after, created_before } = fields;
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
