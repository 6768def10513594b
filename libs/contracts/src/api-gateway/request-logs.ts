import Type, { type Static } from '@gp/bundled/typebox';
import { Instant, ListPosition, Nullable, OneOf, Scope, Uuid } from '../common.ts';
import { rpc } from '../contract.ts';

/** A request of a merchant to the public API as its log lists it, without secrets and payers (Q40, Q41). */
export const RequestLogItem = Type.Object({
  id: Uuid,
  request_id: Type.String(),
  created_at: Instant,
  method: Type.String(),
  /** The path of the operation, `/v1/group-payments/{id}`. */
  route: Type.String(),
  path: Type.String(),
  query: Type.String(),
  status: Type.Integer(),
  error_code: Nullable(Type.String()),
  duration_ms: Type.Integer({ minimum: 0 }),
  /** Null for a session token. */
  key_id: Nullable(Uuid),
});
export type RequestLogItem = Static<typeof RequestLogItem>;

const body = Nullable(Type.Record(Type.String(), Type.Unknown()));

/** The same with both bodies; null without one, or where none was kept. */
export const RequestLogEntry = Type.Object({
  ...RequestLogItem.properties,
  request_body: body,
  response_body: body,
});
export type RequestLogEntry = Static<typeof RequestLogEntry>;

/**
 * Lists the logged requests of a merchant in one mode, newest first. A page may hold fewer than `limit`, none even: `next`
 * shows whether there are more.
 */
export const listRequestLogs = rpc('rpc.api_gateway.request-logs.list.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    status_class: Type.Optional(OneOf(['2xx', '4xx', '5xx'])),
    method: Type.Optional(Type.String({ minLength: 1, maxLength: 16 })),
    /** As it was sent, or as the operation writes it. */
    path: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    key_id: Type.Optional(Uuid),
    request_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    /** Both bounds are included, by the millisecond. */
    created_after: Type.Optional(Instant),
    created_before: Type.Optional(Instant),
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
    after: Type.Optional(ListPosition),
  }),
  response: Type.Object({ request_logs: Type.Array(RequestLogItem), next: Nullable(ListPosition) }),
});

/** Returns one logged request with its bodies; errors: not_found, also for another merchant's or the other mode's. */
export const findRequestLog = rpc('rpc.api_gateway.request-logs.find.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, id: Uuid }),
  response: RequestLogEntry,
});
