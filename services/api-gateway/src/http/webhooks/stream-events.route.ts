import { publicApi, UUID } from '@gp/contracts';
import { validationError } from '@gp/errors';
import { eventStream, type HttpRequest } from '@gp/http';
import type { StreamMessage } from '../../app/events/follow-events.ts';
import type { Handle } from '../request/endpoint.ts';
import { queryReader } from '../request/validator.ts';
import type { RouteParts } from '../route-parts.ts';

const read = queryReader(publicApi.StreamEventsQuery);
const RESUME = 'last-event-id';
/** How long a reader waits before it connects again, unless it has a mind of its own. */
const RETRY_MS = 1_000;

/** GET /v1/events/stream */
export function streamEvents({ authenticate, admitStream, followEvents }: RouteParts): Handle {
  return async (request, caller) => {
    const after = readStart(request);
    admitStream(request, caller);
    const { authorization, origin } = request.headers;
    const credentials = { authorization, origin, address: request.remoteAddress };
    const isAllowed = () =>
      authenticate(credentials, publicApi.operations.streamEvents).then(
        () => true,
        () => false,
      );
    const messages = await followEvents({ caller, after, isAllowed, signal: request.signal });
    return eventStream(messages, formatMessage);
  };
}

/** The header of a reader that connects again counts more than the address that it began with. */
function readStart({ query, headers }: HttpRequest): string | undefined {
  const { after } = read(query);
  const known = headers[RESUME];
  if (known === undefined) return after?.toLowerCase();
  if (typeof known !== 'string' || !UUID.test(known))
    throw validationError('Last-Event-ID', 'must be the id of an event');
  return known.toLowerCase();
}

function formatMessage(message: StreamMessage): string {
  switch (message.kind) {
    case 'ready': {
      const { lastEventId } = message;
      const data = JSON.stringify({ last_event_id: lastEventId });
      return `retry: ${RETRY_MS}\nid: ${lastEventId}\nevent: ready\ndata: ${data}\n\n`;
    }
    case 'event':
      return `id: ${message.event.id}\ndata: ${JSON.stringify(message.event)}\n\n`;
    case 'heartbeat':
      return ': heartbeat\n\n';
  }
}
