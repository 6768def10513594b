import Type, { type Static } from '@gp/bundled/typebox';
import { rpc } from '../contract.ts';
import { Instant, Nullable, Scope, Uuid } from '../common.ts';
import { PublicEvent } from '../events/events.ts';

export const EventTypes = Type.Array(PublicEvent.properties.type, { maxItems: 20, uniqueItems: true });

export const EndpointView = Type.Object({
  id: Uuid,
  url: Type.String(),
  description: Nullable(Type.String()),
  enabled: Type.Boolean(),
  event_types: EventTypes,
  created_at: Instant,
  updated_at: Instant,
});
export type EndpointView = Static<typeof EndpointView>;

const Description = Nullable(Type.String({ maxLength: 255 }));
const Url = Type.String({ maxLength: 2048 });

/**
 * Endpoints of one merchant in one mode: the longest that the API accepts are 450 kB together, and a message takes
 * 1 MB.
 */
export const MOST_ENDPOINTS = 100;

/** Registers an endpoint and returns its secret this once; errors: validation_error (`url`, or one too many). */
export const createEndpoint = rpc('rpc.webhooks.endpoints.create.v1', {
  request: Type.Object({ ...Scope, url: Url, description: Description, event_types: EventTypes }),
  response: Type.Object({ ...EndpointView.properties, secret: Type.String() }),
});
export const listEndpoints = rpc('rpc.webhooks.endpoints.list.v1', {
  repeatable: true,
  request: Type.Object(Scope),
  response: Type.Object({ endpoints: Type.Array(EndpointView) }),
});
export const findEndpoint = rpc('rpc.webhooks.endpoints.find.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, id: Uuid }),
  response: EndpointView,
});
export const updateEndpoint = rpc('rpc.webhooks.endpoints.update.v1', {
  request: Type.Object({
    ...Scope,
    id: Uuid,
    url: Type.Optional(Url),
    description: Type.Optional(Description),
    enabled: Type.Optional(Type.Boolean()),
    event_types: Type.Optional(EventTypes),
  }),
  response: EndpointView,
});
export const deleteEndpoint = rpc('rpc.webhooks.endpoints.delete.v1', {
  request: Type.Object({ ...Scope, id: Uuid }),
  response: Type.Object({ id: Uuid, deleted: Type.Boolean() }),
});

/** How long a retired secret may still sign beside the new one, seconds: none, an hour, a day, a week. */
export const OVERLAPS_SECONDS = [0, 3_600, 86_400, 604_800] as const;

/** Gives an endpoint a new secret, returned this once; the old ones sign beside it until the overlap ends. */
export const rollSecret = rpc('rpc.webhooks.endpoints.roll-secret.v1', {
  request: Type.Object({
    ...Scope,
    id: Uuid,
    overlap_seconds: Type.Unsafe<(typeof OVERLAPS_SECONDS)[number]>({
      type: 'integer',
      enum: [...OVERLAPS_SECONDS],
    }),
  }),
  response: Type.Object({
    ...EndpointView.properties,
    secret: Type.String(),
    previous_secrets_end_at: Nullable(Instant),
  }),
});
