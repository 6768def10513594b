import type { Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { EndpointView, Mode } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { uuidv7 } from 'uuidv7';

export type OwnEndpoint = EndpointView & { readonly merchant_id: string; readonly mode: Mode };

/** Returns an endpoint of this merchant in this mode; throws `not_found`. */
export function mine(
  endpoints: ReadonlyMap<string, OwnEndpoint>,
  { id, merchant_id, mode }: { id: string; merchant_id: string; mode: Mode },
): OwnEndpoint {
  const found = endpoints.get(id);
  if (found?.merchant_id !== merchant_id || found.mode !== mode) throw notFound('webhook endpoint');
  return found;
}

/** Answers the dispatcher's calls about endpoints. */
export function serveEndpoints(bus: Bus, endpoints: Map<string, OwnEndpoint>) {
  const shown = ({ merchant_id: _m, mode: _mode, ...view }: OwnEndpoint) => ({
    ...view,
    url: toUri(view.url),
  });
  return [
    bus.serve(contracts.createEndpoint, (request) => {
      const at = new Date().toISOString();
      const row = { ...request, id: uuidv7(), enabled: true, created_at: at, updated_at: at };
      endpoints.set(row.id, row);
      return Promise.resolve({ ...shown(row), secret: 'whsec_c2VjcmV0' });
    }),
    bus.serve(contracts.listEndpoints, (request) =>
      Promise.resolve({
        endpoints: [...endpoints.values()]
          .filter((e) => e.merchant_id === request.merchant_id && e.mode === request.mode)
          .map(shown),
      }),
    ),
    bus.serve(contracts.findEndpoint, (request) => Promise.resolve(shown(mine(endpoints, request)))),
    bus.serve(contracts.updateEndpoint, (request) => {
      const changed = { ...mine(endpoints, request), ...request };
      endpoints.set(request.id, changed);
      return Promise.resolve(shown(changed));
    }),
    bus.serve(contracts.deleteEndpoint, (request) => {
      endpoints.delete(mine(endpoints, request).id);
      return Promise.resolve({ id: request.id, deleted: true });
    }),
  ];
}

/** What a URL may contain and a URI may not. */
const STRAY = /[^\w.~!$&'()*+,;=:@/?#%[\]-]/gu;

/** Encodes an address that is no URI, as the dispatcher does. */
function toUri(text: string): string {
  return text.search(STRAY) < 0 ? text : new URL(text).href.replace(STRAY, encodeURIComponent);
}
