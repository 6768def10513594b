import type { EndpointView } from '@gp/contracts';
import type { EndpointRow } from '../../db/endpoints.ts';
import { toUri } from '../../outbound/endpoint-url.ts';

/** An endpoint as others see it: never with its secret. */
export function endpointView(row: EndpointRow): EndpointView {
  return {
    id: row.id,
    url: toUri(row.url),
    description: row.description,
    enabled: row.enabled,
    event_types: row.event_types as EndpointView['event_types'],
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
