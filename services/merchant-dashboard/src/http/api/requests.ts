import type { RequestLogEntry, RequestLogItem } from '@gp/contracts';

/** The secret key of a request; `name` and `last4` are null for a key of which the dashboard has no record. */
export type RequestKey = {
  readonly id: string;
  readonly name: string | null;
  readonly last4: string | null;
};
/** A request to the API as the list shows it; `key` is null for a session token. */
export type LoggedRequest = Omit<RequestLogItem, 'key_id'> & { readonly key: RequestKey | null };
/**
 * GET /api/{mode}/requests?status_class=&method=&path=&request_id=&key_id=&created_after=&created_before=&cursor=&limit=
 * GET /api/{mode}/requests/export?…&format=csv|jsonl: all that the filters leave, as a file without bodies.
 * A page may hold fewer than `limit`, none even, and still not be the last.
 */
export type RequestPage = {
  readonly requests: readonly LoggedRequest[];
  readonly next_cursor: string | null;
};
/** GET /api/{mode}/requests/{id}: with its bodies, from which secrets and payers are taken out. */
export type LoggedRequestDetail = LoggedRequest & Pick<RequestLogEntry, 'request_body' | 'response_body'>;
