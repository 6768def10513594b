import { Event, ListEventsQuery, ListEventsResponse } from './events.ts';
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
    success: { status: 200, body: ListEventsResponse },
    errors: [],
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
