import { EVENT_TYPES, publicApi, type EventType } from '@gp/contracts';
import type { JsonObject } from '../json.ts';
import { buildSample } from './samples.ts';
import type { SchemaCollector } from './schemas.ts';

const sentWhen: Readonly<Record<EventType, string>> = {
  'payment_intent.preauthorised': 'A payment is held: authorised, not yet captured.',
  'payment_intent.captured': 'A payment was captured.',
  'payment_intent.refunded': 'A captured payment was given back.',
  'payment_intent.failed': 'A payment failed, or its hold or capture did.',
  'group_payment.partially_paid':
    'Some of the money was captured, not all of it: for a moment before `paid`, or for good when a capture failed or when time ran out with the minimum of `capture_at_expiry` reached. It is sent with the first capture. Holds alone never cause it.',
  'group_payment.paid': 'Every slot is paid.',
  'group_payment.partially_refunded': 'Some captured payments were given back.',
  'group_payment.refunded': 'Every captured payment was given back.',
  'payment_intent.released':
    'Nothing of a payment is held any more: its hold was given back, or ended, without a capture.',
  'group_payment.expired': 'The group expired before every slot was held. Its holds are given back.',
  'group_payment.cancelled': 'The group was cancelled before any capture. Its holds are given back.',
  'group_payment.capture_failed': 'Every capture failed for good: no money was taken.',
  'payment_intent.disputed':
    'The payer disputes a payment at the gateway. It cannot be refunded until the dispute ends.',
  'payment_intent.dispute_closed':
    'A dispute of the payment ended without a loss: the money stays, and it can be refunded again. A lost dispute sends none.',
  'group_payment.updated':
    'Its name, metadata or expiry was changed; its state was not. `metadata` is what it is now.',
  'group_payment.refund_failed':
    'A refund ended and gave no money back. It may be asked for again, unless the gateway takes no refunds through the API.',
};

const header = (name: string, description: string, schema: JsonObject, example: string): JsonObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', ...schema },
  example,
});

const EVENT_ID = '0198c0de-0000-7000-8000-0000000000e1';

/** Headers of every delivery; also the parameters of each webhook. */
const listHeaders = (type: EventType): readonly JsonObject[] => [
  header(
    'Service-Signature',
    'HMAC-SHA256 of `<t>.<raw body>` in hex, keyed with the secret of the endpoint.',
    { pattern: '^t=[0-9]+(,v1=[0-9a-f]{64})+$' },
    `t=1893434102,v1=${'5f'.repeat(32)}`,
  ),
  header(
    'Service-Event-Id',
    'Id of the event, the same in every delivery of it.',
    { format: 'uuid' },
    EVENT_ID,
  ),
  header('Service-Event-Type', 'Type of the event.', { const: type }, type),
  header('webhook-id', 'The same id, by Standard Webhooks.', {}, EVENT_ID),
  header('webhook-timestamp', 'Unix seconds of this attempt.', { pattern: '^[0-9]+$' }, '1893434102'),
  header(
    'webhook-signature',
    'The signature by Standard Webhooks.',
    { pattern: '^v1,[^ ]+( v1,[^ ]+)*$' },
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

/** A chapter of their own: generators write one file for each, and that of the operations has the name Webhooks. */
export const EVENTS_SENT = 'Events sent';

/** Builds the `webhooks` section: one entry per type of event. */
export function shownWebhooks(schemas: SchemaCollector): JsonObject {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: webhook(type, schemas) }]));
}

function webhook(type: EventType, schemas: SchemaCollector): JsonObject {
  const body = publicApi.eventBodies[type];
  return {
    operationId: `on_${type.replace('.', '_')}`,
    tags: [EVENTS_SENT],
    summary: type,
    description: `${sentWhen[type]} Sent to every enabled endpoint whose subscription includes it.`,
    security: [],
    parameters: listHeaders(type),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: schemas.shown(body),
          examples: { example: { summary: sentWhen[type], value: buildSample(body) } },
        },
      },
    },
    responses: {
      '2XX': { description: 'Taken: it is not sent again.' },
      default: { description: 'Not taken: it is sent again later, up to six times.' },
    },
  };
}
