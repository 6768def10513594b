import Type, { type Static } from '@gp/bundled/typebox';
import { Instant, ListPosition, Nullable, OneOf, Scope, Uuid } from '../common.ts';
import { rpc } from '../contract.ts';
import { PublicEvent } from '../events/events.ts';

/** The delivery states that merchants see: one being sent is still pending, and a deleted endpoint shows none. */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'held'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const DeliveryAttemptView = Type.Object({
  id: Uuid,
  number: Type.Integer(),
  trigger: OneOf(['automatic', 'manual']),
  ended_at: Instant,
  url: Type.String(),
  request_headers: Type.Record(Type.String(), Type.String()),
  remote_address: Nullable(Type.String()),
  timings: Type.Record(Type.String(), Nullable(Type.Number())),
  outcome: Type.String(),
  error_class: Nullable(Type.String()),
  http_status: Nullable(Type.Integer()),
  response_body: Nullable(Type.String()),
  next_attempt_at: Nullable(Instant),
});
export type DeliveryAttemptView = Static<typeof DeliveryAttemptView>;

/** The delivery of one event to one endpoint, with its latest attempts, newest first. Its id is its event's. */
export const DeliveryView = Type.Object({
  id: Uuid,
  event_id: Uuid,
  event_type: PublicEvent.properties.type,
  is_test_event: Type.Boolean(),
  state: OneOf(DELIVERY_STATES),
  resend_pending: Type.Boolean(),
  attempt_count: Type.Integer(),
  next_attempt_at: Nullable(Instant),
  created_at: Instant,
  settled_at: Nullable(Instant),
  attempts: Type.Array(DeliveryAttemptView),
});
export type DeliveryView = Static<typeof DeliveryView>;

const endpoint = { ...Scope, endpoint_id: Uuid };

/**
 * Lists an endpoint's deliveries, newest first; a page may hold fewer than `limit`: `next` shows whether there are
 * more.
 */
export const listDeliveries = rpc('rpc.webhooks.deliveries.list.v1', {
  repeatable: true,
  request: Type.Object({
    ...endpoint,
    state: Type.Optional(OneOf(DELIVERY_STATES)),
    event_type: Type.Optional(PublicEvent.properties.type),
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
    after: Type.Optional(ListPosition),
  }),
  response: Type.Object({ deliveries: Type.Array(DeliveryView), next: Nullable(ListPosition) }),
});

/** Attempts a delivery once more, now; errors: not_found, conflict (the endpoint is disabled). */
export const resendDelivery = rpc('rpc.webhooks.deliveries.resend.v1', {
  repeatable: true,
  request: Type.Object({ ...endpoint, delivery_id: Uuid }),
  response: DeliveryView,
});

/** Sends a sample event to this endpoint alone; errors: not_found, conflict (it is disabled). */
export const sendTestEvent = rpc('rpc.webhooks.deliveries.test.v1', {
  request: Type.Object({ ...endpoint, event_type: PublicEvent.properties.type }),
  response: DeliveryView,
});

export const RecoveryView = Type.Object({
  id: Uuid,
  since: Instant,
  until: Instant,
  status: OneOf(['running', 'done', 'cancelled']),
  recovered: Type.Integer(),
  created_at: Instant,
  ended_at: Nullable(Instant),
});
export type RecoveryView = Static<typeof RecoveryView>;

/**
 * Starts to send again the events of a period that an endpoint did not acknowledge, was not sent or has no
 * delivery of. A request for the same period while it runs returns the same recovery; another one meanwhile is a
 * `conflict`.
 */
export const startRecovery = rpc('rpc.webhooks.recoveries.start.v1', {
  repeatable: true,
  request: Type.Object({ ...endpoint, since: Instant, until: Type.Optional(Instant) }),
  response: RecoveryView,
});
export const findRecovery = rpc('rpc.webhooks.recoveries.find.v1', {
  repeatable: true,
  request: Type.Object({ ...endpoint, recovery_id: Uuid }),
  response: RecoveryView,
});
