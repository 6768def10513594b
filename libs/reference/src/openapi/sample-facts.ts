import { catalogue } from '@gp/errors';
import { isObject, type JsonObject } from '../json.ts';

const PAYMENT = '0198c0de-0000-7000-8000-0000000000b1';
const declined = { code: 'card_declined', message: catalogue.card_declined.text, retryable: false };

/** The ids of samples whose field `id` is not that of a group payment, by the name of their schema. */
const ids: Readonly<Record<string, string>> = {
  PaymentSlot: '0198c0de-0000-7000-8000-0000000000a1',
  CreatedWebhookEndpoint: '0198c0de-0000-7000-8000-0000000000e2',
  DeletedWebhookEndpoint: '0198c0de-0000-7000-8000-0000000000e2',
  RolledWebhookEndpoint: '0198c0de-0000-7000-8000-0000000000e2',
  WebhookEndpoint: '0198c0de-0000-7000-8000-0000000000e2',
};

/** What a sample says that its fields alone do not, by the name of its schema. */
const facts: Readonly<Record<string, JsonObject>> = {
  ...Object.fromEntries(Object.entries(ids).map(([title, id]) => [title, { id }])),
  FailureReason: declined,
  PaymentFailure: { ...declined, stage: 'authorise' },
  Payment: {
    ...{ state: 'captured', is_outcome_unknown: false, is_disputed: false },
    ...{ amount_captured: 30, amount_refunded: 0, failure: null },
  },
  RefundResponse: { failed: [] },
  FailedRefund: { payment_intent_id: PAYMENT, code: 'gateway_refused', error: catalogue.gateway_error.text },
  WebhookAttempt: {
    ...{ remote_address: '203.0.113.7', http_status: 200, response_body: 'ok', error_class: null },
    outcome: 'acknowledged',
    ...{ request_headers: { 'content-type': 'application/json' }, next_attempt_at: null },
  },
};

/** The money of a group payment of 90.00, and the state of a payment, by the name of the event that tells it. */
const told: Readonly<Record<string, JsonObject>> = {
  GroupPaymentPartiallyPaidEvent: { amount_captured: 60 },
  GroupPaymentPartiallyRefundedEvent: { amount_refunded: 30 },
  GroupPaymentRefundedEvent: { amount_refunded: 90 },
  GroupPaymentExpiredEvent: { amount_captured: 0 },
  GroupPaymentCancelledEvent: { amount_captured: 0 },
  GroupPaymentCaptureFailedEvent: { amount_captured: 0 },
  GroupPaymentUpdatedEvent: { amount_captured: 0 },
  PaymentIntentDisputedEvent: { state: 'captured' },
  PaymentIntentDisputeClosedEvent: { state: 'captured' },
};

/** Returns the sample of an object with what the name of its schema says about it. Fields that it lacks are not added. */
export function correctSample(given: JsonObject, title: unknown): JsonObject {
  // A payment of a sample is the price of its slots: it has no tip. Its payer shows the others no name.
  const { tip: _tip, show_name: _show, shown_name: _shown, ...sample } = given;
  const name = String(title);
  if (isObject(sample['data']) && name.endsWith('Event')) {
    const { is_test_event: _, ...data } = sample['data'];
    return { ...sample, id: '0198c0de-0000-7000-8000-0000000000e1', data: { ...data, ...told[name] } };
  }
  const known = Object.entries(facts[name] ?? {}).filter(([field]) => field in sample);
  const corrected = { ...sample, ...Object.fromEntries(known) };
  return name === 'GroupPaymentWithSlots' ? withEverySlot(corrected) : corrected;
}

const SLOTS = 3;

/** Returns the sample with as many slots as make up its total, where it has one. */
function withEverySlot(sample: JsonObject): JsonObject {
  const [first] = (sample['payment_slots'] ?? []) as readonly JsonObject[];
  if (!first) return sample;
  const { label: _label, ...further } = first;
  const slots = Array.from({ length: SLOTS }, (_, at) => ({
    ...(at === 0 ? first : further),
    id: String(first['id']).replace(/.$/, String(at + 1)),
    sequence_no: at + 1,
  }));
  return { ...sample, payment_slots: slots };
}
