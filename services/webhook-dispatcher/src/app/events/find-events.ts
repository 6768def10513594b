import {
  EVENT_TYPES,
  type findEvent as finding,
  type listEvents as listing,
  type RequestOf,
  type ResponseOf,
  type SentEvent,
} from '@gp/contracts';
import { notFound } from '@gp/errors';
import type { Queryable } from '@gp/pg';
import * as log from '../../db/event-log.ts';

type List = (request: RequestOf<typeof listing>) => Promise<ResponseOf<typeof listing>>;
type Find = (request: RequestOf<typeof finding>) => Promise<ResponseOf<typeof finding>>;

/** A merchant's events in one mode, newest first, as they were sent. */
export function listEvents(db: Queryable): List {
  return async ({ merchant_id, mode, type, limit, after, ...filter }) => {
    const types = type === undefined ? EVENT_TYPES : [type];
    const scope = { merchant_id, mode };
    const { rows, next } = await log.listEvents(db, scope, { types, ...filter }, { limit, after });
    return { events: rows.map((row) => asSent(row.payload)), next };
  };
}

/** One event of this merchant and mode; rejects with `not_found`. */
export function findEvent(db: Queryable): Find {
  return async ({ id, ...scope }) => {
    const payload = await log.findEventPayload(db, scope, id);
    if (payload === undefined) throw notFound('event');
    return asSent(payload);
  };
}

/** The text was made from such an event when it was taken. */
const asSent = (payload: string): SentEvent => JSON.parse(payload) as SentEvent;
