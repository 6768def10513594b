import Type, { type Static } from '@gp/bundled/typebox';
import { Instant, ListPosition, Nullable, Scope, Uuid } from '../common.ts';
import { rpc } from '../contract.ts';
import { PublicEvent } from './events.ts';

/** An event exactly as it was sent to its receivers. */
export const SentEvent = Type.Object({
  id: Uuid,
  type: PublicEvent.properties.type,
  created: Instant,
  data: PublicEvent.properties.data,
});
export type SentEvent = Static<typeof SentEvent>;

/**
 * Lists a merchant's events in one mode, newest first: in the order of their arrival, or of their creation where
 * `created_before` is given. A page may hold fewer than `limit`: `next` shows whether there are more.
 */
export const listEvents = rpc('rpc.webhooks.events.list.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    type: Type.Optional(PublicEvent.properties.type),
    group_payment_id: Type.Optional(Uuid),
    created_after: Type.Optional(Instant),
    created_before: Type.Optional(Instant),
    /**
     * Whether every endpoint subscribed to it has acknowledged it; an event without such an endpoint was not
     * delivered.
     */
    delivered: Type.Optional(Type.Boolean()),
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
    after: Type.Optional(ListPosition),
  }),
  response: Type.Object({ events: Type.Array(SentEvent), next: Nullable(ListPosition) }),
});
export const findEvent = rpc('rpc.webhooks.events.find.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, id: Uuid }),
  response: SentEvent,
});

/**
 * Finds the place of an event in the order of arrival, or of the newest event where no id is given; `after` is null
 * where there is none. Rejects with `not_found` for an event that this merchant does not have in this mode.
 */
export const locateEvent = rpc('rpc.webhooks.events.locate.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, id: Type.Optional(Uuid) }),
  response: Type.Object({ after: Nullable(ListPosition) }),
});

/**
 * Lists the events of a merchant that arrived after a place, oldest first; after nothing for null. What arrives later
 * has a later place, so a client that asks again from `next` gets each event once.
 */
export const followEvents = rpc('rpc.webhooks.events.follow.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    after: Nullable(ListPosition),
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
  }),
  response: Type.Object({
    events: Type.Array(SentEvent),
    /** The place of the last of them; `after` where there are none. */
    next: Nullable(ListPosition),
  }),
});
