import type { Mode } from '@gp/contracts';
import { statement, type Db, type Queryable } from '@gp/pg';
import { UUID } from 'uuidv7';

export type RequestLogRow = {
  readonly id: string;
  readonly merchantId: string;
  readonly mode: Mode;
  readonly requestId: string;
  readonly keyId: string | null;
  readonly method: string;
  readonly route: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  readonly errorCode: string | null;
  readonly durationMs: number;
  /** JSON text. */
  readonly requestBody: string | null;
  readonly responseBody: string | null;
};

export type RequestLogFilter = {
  readonly merchantId: string;
  readonly mode: Mode;
  /** The first digit of the status. */
  readonly statusClass: number | null;
  readonly method: string | null;
  /** The path as sent or that of the operation. */
  readonly path: string | null;
  readonly keyId: string | null;
  readonly requestId: string | null;
  /** Epoch ms; both bounds are included. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  /** Only those before this id. */
  readonly before: string | null;
  readonly limit: number;
};

/** A request in a list, without its bodies. */
export type ListedRequestLog = Omit<RequestLogRow, 'requestBody' | 'responseBody' | 'merchantId'>;

/** Rows of a list that one page looks at, so that a filter which matches hardly any does not read a month. */
const MOST_LOOKED_AT = 10_000;

const COLUMNS = `id, mode, request_id as "requestId", key_id as "keyId", method, route, path, query, status,
   error_code as "errorCode", duration_ms as "durationMs"`;

const insert = statement(
  'api-gateway.insert-request-logs',
  `insert into request_logs (id, merchant_id, mode, request_id, key_id, method, route, path, query, status, error_code,
     duration_ms, request_body, response_body)
   select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::text[], $8::text[],
     $9::text[], $10::smallint[], $11::text[], $12::integer[], $13::text[], $14::text[])
   on conflict (id) do nothing`,
);

// Index: request_logs_of_a_merchant.
const LOOKED_AT = `select * from request_logs where merchant_id = $1 and mode = $2 and id < $3 and id >= $4`;
const MATCHES = `($5::int is null or status / 100 = $5) and ($6::text is null or method = $6)
   and ($7::text is null or path = $7 or route = $7) and ($8::uuid is null or key_id = $8)`;

const list = statement<ListedRequestLog>(
  'api-gateway.list-request-logs',
  `select ${COLUMNS} from (${LOOKED_AT} order by id desc limit ${MOST_LOOKED_AT}) l
   where ${MATCHES} order by id desc limit $9`,
);

const lastLookedAt = statement<{ id: string }>(
  'api-gateway.last-request-log-looked-at',
  `select id from (${LOOKED_AT}) l order by id desc offset ${MOST_LOOKED_AT - 1} limit 1`,
);

// Index: request_logs_by_request.
const listOfRequest = statement<ListedRequestLog>(
  'api-gateway.list-request-logs-of-request',
  `select ${COLUMNS} from (${LOOKED_AT} and request_id = $10) l where ${MATCHES} order by id desc limit $9`,
);

const find = statement<ListedRequestLog & Pick<RequestLogRow, 'requestBody' | 'responseBody'>>(
  'api-gateway.find-request-log',
  `select ${COLUMNS}, request_body as "requestBody", response_body as "responseBody"
   from request_logs where id = $1 and merchant_id = $2 and mode = $3`,
);

const reap = statement<{ reaped: bigint }>(
  'api-gateway.reap-request-logs',
  `with reaped as (delete from request_logs where id = any(array(
       select id from request_logs where id < $1 order by id limit 1000)) returning 1)
   select count(*) as reaped from reaped`,
);

/** Stores logged requests; one that is stored already stays as it is. */
export async function insertRequestLogs(db: Queryable, rows: readonly RequestLogRow[]): Promise<void> {
  const column = <K extends keyof RequestLogRow>(name: K) => rows.map((row) => row[name]);
  await db.query(insert, [
    column('id'),
    column('merchantId'),
    column('mode'),
    column('requestId'),
    column('keyId'),
    column('method'),
    column('route'),
    column('path'),
    column('query'),
    column('status'),
    column('errorCode'),
    column('durationMs'),
    column('requestBody'),
    column('responseBody'),
  ]);
}

/**
 * Returns a page of a merchant's requests, newest first, and the id before which the next one begins; null at the end. A page
 * may hold fewer than `limit` and still not be the last.
 */
export async function listRequestLogs(
  db: Db,
  f: RequestLogFilter,
): Promise<{ rows: ListedRequestLog[]; next: string | null }> {
  const from = firstIdAt(f.fromMs ?? 0);
  const to = firstIdAt(f.toMs === null ? LATEST_MS : f.toMs + 1);
  const below = f.before !== null && f.before < to ? f.before : to;
  const bounds = [f.merchantId, f.mode, below, from];
  const values = [...bounds, f.statusClass, f.method, f.path, f.keyId, f.limit + 1];
  const found =
    f.requestId === null
      ? await db.query(list, values)
      : await db.query(listOfRequest, [...values, f.requestId]);
  const rows = found.slice(0, f.limit);
  if (found.length > f.limit) return { rows, next: rows.at(-1)?.id ?? null };
  if (f.requestId !== null) return { rows, next: null };
  const [last] = await db.query(lastLookedAt, bounds);
  return { rows, next: last?.id ?? null };
}

/** Returns one request with its bodies, if it is this merchant's in this mode. */
export async function findRequestLog(db: Db, o: { id: string; merchantId: string; mode: Mode }) {
  const [row] = await db.query(find, [o.id, o.merchantId, o.mode]);
  return row;
}
export type FoundRequestLog = NonNullable<Awaited<ReturnType<typeof findRequestLog>>>;

/** Deletes up to 1,000 requests from before this instant (epoch ms); returns how many. */
export async function deleteOldRequestLogs(db: Queryable, beforeMs: number): Promise<number> {
  const [row] = await db.query(reap, [firstIdAt(beforeMs)]);
  return Number(row?.reaped ?? 0n);
}

const LATEST_MS = 2 ** 48 - 1;

/** Returns the least UUID of version 7 of a millisecond. */
function firstIdAt(ms: number): string {
  return UUID.fromFieldsV7(Math.min(Math.max(ms, 0), LATEST_MS), 0, 0, 0).toString();
}
