import { secretKey, type Operation } from './operation.ts';
import {
  ListDeliveriesQuery,
  RecoverWebhookRequest,
  RolledWebhookEndpoint,
  RollSecretRequest,
  TestWebhookRequest,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookRecovery,
} from './webhook-deliveries.ts';

const common = { tag: 'Webhooks', accepts: secretKey, isExtension: true } as const;

/** Reading the deliveries of an endpoint, and sending them again. */
export const webhookDeliveryOperations = {
  rollWebhookSecret: {
    ...common,
    id: 'rollWebhookSecret',
    method: 'POST',
    path: '/v1/webhooks/{id}/roll-secret',
    summary: 'Give a webhook endpoint a new signing secret',
    description:
      'While the overlap lasts every delivery carries one signature with each secret, so that receivers may change over at any moment of it. No earlier secret outlives the overlap asked for last: `0` ends them all at once. Without a body the overlap is a day.',
    body: RollSecretRequest,
    isBodyOptional: true,
    success: { status: 200, body: RolledWebhookEndpoint },
    errors: [],
  },
  testWebhook: {
    ...common,
    id: 'testWebhook',
    method: 'POST',
    path: '/v1/webhooks/{id}/test',
    summary: 'Send a test event to a webhook endpoint',
    description:
      'Sent to this endpoint alone, whether it subscribes to the type or not, and delivered like any event. It carries the header `Service-Test-Event: true`, its `data` has `is_test_event: true`, all its ids are the nil UUID and its amounts zero; `GET /v1/events` does not show it. Without a body the type is `group_payment.paid`.',
    body: TestWebhookRequest,
    isBodyOptional: true,
    success: { status: 201, body: WebhookDelivery },
    errors: ['conflict'],
  },
  listWebhookDeliveries: {
    ...common,
    id: 'listWebhookDeliveries',
    method: 'GET',
    path: '/v1/webhooks/{id}/deliveries',
    summary: 'List the deliveries of a webhook endpoint with their attempts, newest first',
    description:
      'Kept for 30 days. A page may hold fewer items than `limit`, none even, and still not be the last: follow `next_cursor` until it is null.',
    query: ListDeliveriesQuery,
    success: { status: 200, body: WebhookDeliveryList },
    errors: [],
  },
  resendWebhookDelivery: {
    ...common,
    id: 'resendWebhookDelivery',
    method: 'POST',
    path: '/v1/webhooks/{id}/deliveries/{delivery_id}/resend',
    summary: 'Attempt a delivery once more, now',
    description:
      'Whatever came of it so far. Acknowledged, the delivery is delivered and its automatic retries end; otherwise it stays what it was and its next automatic attempt comes when it was to come.',
    success: { status: 202, body: WebhookDelivery },
    errors: ['conflict'],
  },
  recoverWebhook: {
    ...common,
    id: 'recoverWebhook',
    method: 'POST',
    path: '/v1/webhooks/{id}/recover',
    summary: 'Send again what a webhook endpoint missed in a period',
    description:
      'Deliveries that failed or were held while the endpoint was disabled, and events that it was never sent although it subscribes to them, oldest first and at a pace that leaves room for new events. One recovery of an endpoint runs at a time; the same period asked for again while it runs is the same recovery.',
    body: RecoverWebhookRequest,
    success: { status: 202, body: WebhookRecovery },
    errors: ['conflict'],
  },
  getWebhookRecovery: {
    ...common,
    id: 'getWebhookRecovery',
    method: 'GET',
    path: '/v1/webhooks/{id}/recoveries/{recovery_id}',
    summary: 'Get how far a recovery is',
    success: { status: 200, body: WebhookRecovery },
    errors: [],
  },
} as const satisfies Record<string, Operation>;
