import type {
  followEvents as following,
  locateEvent as locating,
  RequestOf,
  ResponseOf,
  SentEvent,
} from '@gp/contracts';
import { notFound } from '@gp/errors';
import type { Queryable } from '@gp/pg';
import { findPlace, listEventsAfter } from '../../db/event-stream.ts';

type Locate = (request: RequestOf<typeof locating>) => Promise<ResponseOf<typeof locating>>;
type Follow = (request: RequestOf<typeof following>) => Promise<ResponseOf<typeof following>>;

/** Finds where a stream of events continues: after this event, or after the newest. Rejects with `not_found`. */
export function locateEvent(db: Queryable): Locate {
  return async ({ id, ...scope }) => {
    const place = await findPlace(db, scope, id);
    if (id !== undefined && !place) throw notFound('event');
    return { after: place ?? null };
  };
}

/** The events of a merchant that arrived after a place, oldest first, as they were sent. */
export function followEvents(db: Queryable): Follow {
  return async ({ after, limit, ...scope }) => {
    const { payloads, next } = await listEventsAfter(db, scope, { after, limit });
    // The text was made from such an event when it was taken.
    return { events: payloads.map((payload) => JSON.parse(payload) as SentEvent), next };
  };
}
