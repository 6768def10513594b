import { Event, EventList, EventStream, ListEventsQuery, StreamEventsQuery } from './events.ts';
import { secretKey, type Operation } from './operation.ts';

/** Reading past events, for receivers that missed some. */
export const eventOperations = {
  listEvents: {
    id: 'listEvents',
    method: 'GET',
    path: '/v1/events',
    tag: 'Events',
    summary: 'List events, newest first',
    description:
      'Kept for 30 days, whether or not an endpoint was registered. A page may hold fewer items than `limit`, none even, and still not be the last: follow `next_cursor` until it is null.',
    accepts: secretKey,
    query: ListEventsQuery,
    success: { status: 200, body: EventList },
    errors: [],
    isExtension: true,
  },
  // Before the operation whose path has an id in this place.
  streamEvents: {
    id: 'streamEvents',
    method: 'GET',
    path: '/v1/events/stream',
    tag: 'Events',
    summary: 'Stream events as they arrive',
    description:
      'Server-sent events, oldest first, for programs that cannot be reached by webhooks. A stream that was lost is resumed with the header `Last-Event-ID`: nothing is left out and nothing repeated. Every 15 seconds without an event a comment keeps the connection alive; take a connection that is silent for longer as lost. Events of one group payment may arrive out of order, as webhooks may: `data.sequence` has the order. A merchant may have a few streams open in each mode; further ones are refused with 429 and the reason `too_many_streams`. A stream ends when its key does.',
    accepts: secretKey,
    query: StreamEventsQuery,
    success: { status: 200, body: EventStream },
    isStream: true,
    errors: ['not_found'],
    isExtension: true,
  },
  getEvent: {
    id: 'getEvent',
    method: 'GET',
    path: '/v1/events/{id}',
    tag: 'Events',
    summary: 'Get an event',
    accepts: secretKey,
    success: { status: 200, body: Event },
    errors: [],
    isExtension: true,
  },
} as const satisfies Record<string, Operation>;
