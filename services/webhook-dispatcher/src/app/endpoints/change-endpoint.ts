import type {
  deleteEndpoint as deleting,
  RequestOf,
  ResponseOf,
  updateEndpoint as updating,
} from '@gp/contracts';
import { notFound } from '@gp/errors';
import type { Db } from '@gp/pg';
import { deleteEndpoint, updateEndpoint } from '../../db/endpoints.ts';
import { parseEndpointUrl } from '../../outbound/endpoint-url.ts';
import { endpointView } from './endpoint-view.ts';

type Parts = {
  readonly db: Db;
  /** Called when an endpoint was enabled, disabled or deleted, to wake the loops that send or settle its deliveries. */
  readonly onLaneChanged: () => void;
};
type Update = (request: RequestOf<typeof updating>) => Promise<ResponseOf<typeof updating>>;
type Delete = (request: RequestOf<typeof deleting>) => Promise<ResponseOf<typeof deleting>>;

/**
 * Changes what is given and leaves the rest. A new url or subscription counts from the next attempt or event on; a
 * disabled endpoint's open deliveries are held. Rejects with `not_found` and `validation_error` (url).
 */
export function changeEndpoint(o: Parts): Update {
  return async ({ id, url, description, enabled, event_types, ...scope }) => {
    const uri = url === undefined ? undefined : parseEndpointUrl(url);
    const types = event_types && [...new Set(event_types)];
    const row = await updateEndpoint(o.db, scope, id, { url: uri, description, enabled, event_types: types });
    if (!row) throw notFound('webhook endpoint');
    if (enabled !== undefined) o.onLaneChanged();
    return endpointView(row);
  };
}

/** Ends an endpoint, its secret and its open deliveries. Rejects with `not_found`. */
export function removeEndpoint(o: Parts): Delete {
  return async ({ id, ...scope }) => {
    if (!(await deleteEndpoint(o.db, scope, id))) throw notFound('webhook endpoint');
    o.onLaneChanged();
    return { id, deleted: true };
  };
}
