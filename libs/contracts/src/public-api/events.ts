import Type, { type Static } from '@gp/bundled/typebox';
import { OneOf } from '../common.ts';
import { EVENT_TYPES } from '../events/events.ts';
import { eventBodies } from './event-bodies.ts';
import { Cursor, DateTime, Id, Request, Response } from './fields.ts';
import { CursorPagination } from './webhook-deliveries.ts';

/** An event as it was sent to its receivers. */
export const Event = Type.Union(Object.values(eventBodies), {
  title: 'Event',
  description: 'The body that webhook endpoints were sent.',
});

export const ListEventsQuery = Request('ListEventsQuery', {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Most items of a page.' }),
  ),
  cursor: Cursor,
  type: Type.Optional({ ...OneOf(EVENT_TYPES), description: 'Only those of this type.' }),
  group_payment_id: Type.Optional(Id('Only those of this group payment.')),
  created_after: Type.Optional(
    DateTime(
      'Only those created at this instant or later. Without `created_before` also those that arrived in this list at it or later, so a client that asks again and again, each time with the newest `created` that it has seen, misses none.',
    ),
  ),
  created_before: Type.Optional(DateTime('Only those created at this instant or earlier.')),
  delivered: Type.Optional({
    ...OneOf(['true', 'false']),
    description:
      'Only those that every endpoint they were for has acknowledged, or only the others. What no endpoint was sent counts as not delivered.',
  }),
});
export type ListEventsQuery = Static<typeof ListEventsQuery>;

export const ListEventsResponse = Response('ListEventsResponse', {
  events: Type.Array(Event, { description: 'Newest first.' }),
  pagination: CursorPagination,
});
