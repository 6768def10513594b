import { findManifest, pspCodes } from '@gp/gateway-registry';
import { isObject, type JsonObject } from '../json.ts';
import { correctSample } from './sample-facts.ts';

const GROUP = '0198c0de-0000-7000-8000-000000000001';
const SLOT = '0198c0de-0000-7000-8000-0000000000a1';
const PAYMENT = '0198c0de-0000-7000-8000-0000000000b1';

/** Samples of the texts among the fields of all gateways. */
const clientExamples = Object.fromEntries(
  pspCodes
    .flatMap((code) => Object.entries(findManifest(code).clientData.example))
    .filter(([, value]) => typeof value === 'string'),
);

/** Samples by field name, wherever the field stands. */
const byName: Readonly<Record<string, unknown>> = {
  merchant_id: 'mer_7Qd2mYx1',
  group_payment_id: GROUP,
  payment_intent_id: PAYMENT,
  refunded_payment_intents: [PAYMENT],
  refunded_slot_ids: [SLOT],
  slot_ids: [SLOT],
  refund_id: '0198c0de-0000-7000-8000-0000000000c1',
  delivery_id: '0198c0de-0000-7000-8000-0000000000d1',
  recovery_id: '0198c0de-0000-7000-8000-0000000000d2',
  event_id: '0198c0de-0000-7000-8000-0000000000e1',
  assigned_customer_id: null,
  group_name: 'Dinner at Casa Lola',
  state: 'open',
  psp_code: pspCodes[0],
  cursor: 'eyJ2IjoxfQ7hGk2Qx',
  next_cursor: 'eyJ2IjoxfQ7hGk2Qx',
  merchant_order_id: '2041-8K3F9Q2M',
  client_reference: 'order-4711',
  customer_id: '0198c0de-0000-7000-8000-0000000000f1',
  gateway_reference: 'pi_3NkY2eLkdIwHu7ix',
  total_amount: 90,
  amount: 30,
  amount_captured: 90,
  amount_refunded: 0,
  amount_on_hold: 60,
  amount_net: 90,
  amount_tips: 0,
  amount_held: 150,
  amount_released: 0,
  amount_returned: 0,
  amount_reversed: 0,
  amount_disputed: 0,
  is_final: true,
  from: '2026-01-01',
  to: '2026-01-31',
  currency: 'EUR',
  metadata: { table: '12' },
  checkout_url: 'https://pay.example.com/c/3q2-7wX0aB9kLmN4pQrS5t',
  organiser_url: 'https://pay.example.com/o/8d1-4kZ7cV2nHjR6tWyU9s',
  may: ['remind', 'extend', 'cancel'],
  latest_expires_at: '2030-01-01T23:00:00.000Z',
  expires_at: '2030-01-01T20:00:00.000Z',
  created_at: '2029-12-31T18:15:02.417Z',
  updated_at: '2029-12-31T18:15:02.417Z',
  created: '2029-12-31T18:15:02.417Z',
  since: '2029-12-31T18:15:02.417Z',
  until: '2029-12-31T19:15:02.417Z',
  last_payment_at: '2029-12-31T18:15:02.417Z',
  occurred_at: '2029-12-31T18:15:02.417Z',
  customer_email: 'ana@example.com',
  customer_name: 'Ana Lima',
  cardholder_name: 'Ana Lima',
  encrypted_card_number:
    'ev:QkTC:c2FtcGxlLWl2LW51:A2xmc2FtcGxlLWVwaGVtZXJhbC1wdWJsaWMta2V5LXh4:c2FtcGxlLWNhcmQtbnVtYmVy:$',
  encrypted_security_code:
    'ev:QkTC:c2FtcGxlLWl2LWNv:A2xmc2FtcGxlLWVwaGVtZXJhbC1wdWJsaWMta2V5LXh4:c2FtcGxlLXNlY3VyaXR5LWNvZGU:$',
  expiration_month: 12,
  expiration_year: 2030,
  ...clientExamples,
  url: 'https://merchant.example/webhooks',
  description: 'Till in the front room',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0qhQXb3dYsE=',
  event_types: ['group_payment.paid', 'group_payment.refunded'],
  sequence: 4,
  limit: 20,
  offset: 0,
  total: 1,
  has_more: false,
  number_of_slots: 3,
  sequence_no: 1,
  label: 'Starter and wine',
  slot_labels: ['Starter and wine', null, 'Ben'],
  request_id: 'req_01K0G5Z7Q8',
  key_id: '0198c0de-0000-7000-8000-000000000101',
  method: 'POST',
  route: '/v1/group-payments/{id}/pay',
  path: `/v1/group-payments/${GROUP}/pay`,
  query: '',
  status: 409,
  error_code: 'no_payable_slots',
  duration_ms: 41,
  request_body: { slot_ids: [SLOT], customer_email: '[redacted]' },
  response_body: {
    error: 'Conflict',
    message: 'no payable slots',
    version: '1.0.0',
    code: 'no_payable_slots',
  },
  version: '1.0.0',
  error: 'Bad Request',
  code: 'validation_error',
  message: 'Validation error: total_amount: must be at least 0.01',
  param: 'total_amount',
  details: [{ param: 'total_amount', reason: 'must be at least 0.01' }],
  doc_url: 'https://api.example.com/docs#error-validation_error',
  reason: 'must be at least 0.01',
  hint: 'amounts are in currency units: 90.00 and not 9000',
};

/** Samples of schemas whose fields depend on each other: any of them can be sent within a create of 90.00. */
const byTitle: Readonly<Record<string, unknown>> = {
  EqualDistribution: {
    type: 'equally',
    number_of_slots: 3,
    slot_metadata: ['window', 'aisle', 'door'].map((seat) => ({ metadata: { seat } })),
    slot_labels: ['Starter and wine', null, 'Ben'],
  },
  CaptureAtExpiryRequest: { minimum_amount: 60 },
  CaptureAtExpiry: { minimum_amount: 60 },
  TipsRequest: { max_amount: 20 },
  Tips: { max_amount: 20 },
  CustomDistribution: {
    type: 'custom',
    slots: ['Starter and wine', 'Fish', 'Dessert'].map((label) => ({ amount: 30, label })),
  },
};

const byFormat: Readonly<Record<string, unknown>> = {
  uuid: GROUP,
  'date-time': '2029-12-31T18:15:02.417Z',
  uri: 'https://merchant.example/webhooks',
  email: 'ana@example.com',
};

/** Returns a realistic value of a schema: the same in every run. */
export function buildSample(schema: unknown, name = ''): unknown {
  if (!isObject(schema)) return null;
  const { const: only, enum: choices, examples, format, items, oneOf, anyOf, default: usual, title } = schema;
  if (only !== undefined) return only;
  if (Array.isArray(examples)) return examples[0];
  if (typeof title === 'string' && Object.hasOwn(byTitle, title)) return byTitle[title];
  if (Object.hasOwn(byName, name) && fits(byName[name], schema)) return byName[name];
  if (Array.isArray(choices)) return choices[0];
  if (Array.isArray(oneOf)) return buildSample(oneOf[0], name);
  if (Array.isArray(anyOf)) return buildSample(anyOf[0], name);
  if (usual !== undefined) return usual;
  if (items !== undefined) return [buildSample(items, name.replace(/s$/, ''))];
  if (typeof format === 'string' && Object.hasOwn(byFormat, format)) return byFormat[format];
  return buildTypedSample(schema, name);
}

function buildTypedSample(schema: JsonObject, name: string): unknown {
  const { properties, minimum = 1, title } = schema;
  switch ([schema['type']].flat()[0]) {
    case 'object': {
      const parts = Object.entries(isObject(properties) ? properties : {});
      return correctSample(
        Object.fromEntries(parts.map(([key, part]) => [key, buildSample(part, key)])),
        title,
      );
    }
    case 'integer':
    case 'number':
      return minimum;
    case 'boolean':
      return true;
    default:
      return name === '' ? 'text' : name.replaceAll('_', ' ');
  }
}

/** A name may have several meanings: a sample counts only where its type fits. */
function fits(value: unknown, { type, anyOf, pattern, enum: choices }: JsonObject): boolean {
  if (Array.isArray(choices)) return choices.includes(value);
  if (Array.isArray(anyOf)) return anyOf.some((branch) => isObject(branch) && fits(value, branch));
  if (typeof pattern === 'string' && typeof value === 'string') return new RegExp(pattern).test(value);
  return type === undefined || [type].flat().includes(findJsonType(value)) || isWhole(value, type);
}

const isWhole = (value: unknown, type: unknown): boolean =>
  Number.isInteger(value) && [type].flat().includes('integer');

function findJsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
