import Type, { type Static } from '@gp/bundled/typebox';
import { OneOf } from '../common.ts';
import { DELIVERY_STATES } from '../webhooks/deliveries.ts';
import { OVERLAPS_SECONDS } from '../webhooks/endpoints.ts';
import {
  Choice,
  Cursor,
  CursorPagination,
  DateTime,
  EventTypeName,
  Id,
  Request,
  Response,
} from './fields.ts';
import { WebhookEndpoint } from './webhooks.ts';

const nullable = <T>(type: string, options: object) =>
  Type.Unsafe<T | null>({ type: [type, 'null'], ...options });
const instantOrNull = (description: string) =>
  nullable<string>('string', { format: 'date-time', description });
const milliseconds = (description: string) =>
  Type.Optional(nullable<number>('number', { minimum: 0, description }));

const eventType = (description: string) => ({ ...EventTypeName, description });

/** The overlap of a roll that names none, seconds: time to deploy the new secret. */
export const DEFAULT_OVERLAP_SECONDS = 86_400;

export const RollSecretRequest = Request('RollSecretRequest', {
  overlap_seconds: Type.Optional(
    Type.Unsafe<(typeof OVERLAPS_SECONDS)[number]>({
      type: 'integer',
      enum: [...OVERLAPS_SECONDS],
      default: DEFAULT_OVERLAP_SECONDS,
      description:
        'How long deliveries are signed with the previous secret as well: not at all, an hour, a day or a week. A secret that is known to others needs 0.',
    }),
  ),
});
export type RollSecretRequest = Static<typeof RollSecretRequest>;

export const RolledWebhookEndpoint = Response('RolledWebhookEndpoint', {
  ...WebhookEndpoint.properties,
  secret: Type.String({ description: 'The new signing secret, shown this once.' }),
  previous_secrets_end_at: instantOrNull('Until when earlier secrets sign, too; null when none does.'),
});

const attempt = Response('WebhookAttempt', {
  id: Id('Id of the attempt.'),
  number: Type.Integer({ minimum: 1, description: 'Counts every request of the delivery.' }),
  trigger: { ...OneOf(['automatic', 'manual']), description: 'Whether the schedule or a resend made it.' },
  ended_at: DateTime('When the answer had come, or was given up.'),
  url: Type.String({ description: 'Where it was sent.' }),
  request_headers: Type.Record(Type.String(), Type.String(), {
    description: 'As they were sent, signatures redacted.',
  }),
  remote_address: nullable<string>('string', { description: 'The address the name stood for.' }),
  timings: Response('WebhookTimings', {
    dns_ms: milliseconds('Resolving the name; absent on a connection that was kept.'),
    connect_ms: milliseconds('Making the connection.'),
    tls_ms: milliseconds('Agreeing on TLS; null without it.'),
    first_byte_ms: milliseconds('From the start to the first byte of the answer.'),
    total_ms: milliseconds('From the start to the end.'),
  }),
  outcome: Type.String({
    description:
      'What came of it in a word: acknowledged, redirect, status_4xx, status_5xx, or the error class.',
  }),
  error_class: nullable<string>('string', {
    description:
      'Why there was no answer: address_blocked, dns, connect, connect_timeout, tls, reset, timeout or protocol.',
  }),
  http_status: nullable<number>('integer', { description: 'Status of the answer.' }),
  response_body: nullable<string>('string', { description: 'The first 16 kB of the answer, as text.' }),
  next_attempt_at: instantOrNull('When the attempt after this one was due.'),
});

const deliveryState = Choice('WebhookDeliveryState', DELIVERY_STATES);

export const WebhookDelivery = Response('WebhookDelivery', {
  id: Id('Id of the delivery among those of its endpoint; it is that of the event.'),
  event_id: Id('The event that is delivered.'),
  event_type: eventType('Its type.'),
  is_test_event: Type.Boolean({ description: 'Whether it was asked for to try the endpoint out.' }),
  state: {
    ...deliveryState,
    description:
      'Whether it waits for an attempt, was acknowledged, ran out of attempts, or is kept for a disabled endpoint.',
  },
  resend_pending: Type.Boolean({ description: 'Whether a resend that was asked for is still to come.' }),
  attempt_count: Type.Integer({ minimum: 0, description: 'Requests made so far.' }),
  next_attempt_at: instantOrNull(
    'When the next attempt is due; null while one is under way, and when none is.',
  ),
  created_at: DateTime('When the event was taken for delivery.'),
  settled_at: instantOrNull('When it came to its end.'),
  attempts: Type.Array(attempt, { description: 'The latest eight, newest first.' }),
});

export const ListDeliveriesQuery = Request('ListDeliveriesQuery', {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Most items of a page.' }),
  ),
  cursor: Cursor,
  state: Type.Optional({ ...deliveryState, description: 'Only those in this state.' }),
  event_type: Type.Optional(eventType('Only those of events of this type.')),
});

export const WebhookDeliveryList = Response('WebhookDeliveryList', {
  deliveries: Type.Array(WebhookDelivery, { description: 'Newest first.' }),
  pagination: CursorPagination,
});

/** The type of a test event that names none. */
export const DEFAULT_TEST_EVENT = 'group_payment.paid';

export const TestWebhookRequest = Request('TestWebhookRequest', {
  event_type: Type.Optional({
    ...eventType('The type of the event to send.'),
    default: DEFAULT_TEST_EVENT,
  }),
});

export const RecoverWebhookRequest = Request('RecoverWebhookRequest', {
  since: DateTime('Recover events created at this instant or later; at most 30 days ago.'),
  until: Type.Optional(
    DateTime(
      '… and created at this instant or earlier; now when it is not given, in test mode by the test clock.',
    ),
  ),
});

export const WebhookRecovery = Response('WebhookRecovery', {
  id: Id('Id of the recovery.'),
  since: DateTime('Start of its period.'),
  until: DateTime('End of its period.'),
  status: {
    ...OneOf(['running', 'done', 'cancelled']),
    description: 'Cancelled when its endpoint was deleted.',
  },
  recovered: Type.Integer({ description: 'Deliveries that it has made due so far.' }),
  created_at: DateTime('When it was asked for.'),
  ended_at: instantOrNull('When it had looked at the whole period.'),
});
