import Type, { type Static } from '@gp/bundled/typebox';
import { OneOf } from '../common.ts';
import { eventBodies } from './event-bodies.ts';
import { Cursor, CursorPagination, DateTime, EventTypeName, Id, Request, Response } from './fields.ts';

/** An event as it was sent to its receivers. */
export const Event = Type.Unsafe<Static<(typeof eventBodies)[keyof typeof eventBodies]>>({
  type: 'object',
  title: 'Event',
  description: 'The body that webhook endpoints were sent; `type` decides what `data` has.',
  discriminator: { propertyName: 'type' },
  required: ['type'],
  properties: { type: EventTypeName },
  oneOf: Object.values(eventBodies),
});

export const ListEventsQuery = Request('ListEventsQuery', {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Most items of a page.' }),
  ),
  cursor: Cursor,
  type: Type.Optional({ ...EventTypeName, description: 'Only those of this type.' }),
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

export const EventList = Response('EventList', {
  events: Type.Array(Event, { description: 'Newest first.' }),
  pagination: CursorPagination,
});

export const StreamEventsQuery = Request('StreamEventsQuery', {
  after: Type.Optional(
    Id(
      'Begin after this event, with what arrived since; the nil UUID begins with the oldest event that is kept. Without it the stream begins with the next event that arrives. The header Last-Event-ID, if given, counts instead.',
    ),
  ),
});

/** What a stream says first, by the name `ready`: where it begins. */
export const EventStream = Type.String({
  title: 'EventStream',
  description:
    'Server-sent events: first one named `ready`, whose id is where the stream begins, then one without a name for each event, with its id and, as data, the body that webhook endpoints are sent.',
  examples: [
    'retry: 1000\nid: 0198c0de-0000-7000-8000-0000000000e1\nevent: ready\ndata: {"last_event_id":"0198c0de-0000-7000-8000-0000000000e1"}\n\n',
  ],
});
