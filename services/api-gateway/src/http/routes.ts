import { publicApi } from '@gp/contracts';
import type { Route } from '@gp/http';
import { confirmGroupPayment } from './confirm-payment.route.ts';
import { createGroupPayment } from './create-group-payment.route.ts';
import { createSession } from './create-session.route.ts';
import { endpoint, type Handle } from './endpoint.ts';
import { getEvent, listEvents } from './events.routes.ts';
import { getGroupPayment } from './get-group-payment.route.ts';
import { listGroupPayments } from './list-group-payments.route.ts';
import { payGroupPayment } from './pay-group-payment.route.ts';
import { refundGroupPayment } from './refund-group-payment.route.ts';
import type { RouteParts } from './route-parts.ts';
import {
  getWebhookRecovery,
  listWebhookDeliveries,
  recoverWebhook,
  resendWebhookDelivery,
  rollWebhookSecret,
  testWebhook,
} from './webhook-deliveries.routes.ts';
import { advanceTestClock, getTestClock, resetTestClock } from './test-clock.routes.ts';
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, updateWebhook } from './webhooks.routes.ts';

/** Every route, one for each operation of the public contract. */
export function routes(parts: RouteParts): Route[] {
  const handlers: Record<publicApi.OperationId, Handle> = {
    listGroupPayments: listGroupPayments(parts),
    createGroupPayment: createGroupPayment(parts),
    getGroupPayment: getGroupPayment(parts),
    payGroupPayment: payGroupPayment(parts),
    confirmPayment: confirmGroupPayment(parts),
    refundGroupPayment: refundGroupPayment(parts),
    createSession: createSession(parts),
    listWebhooks: listWebhooks(parts),
    createWebhook: createWebhook(parts),
    getWebhook: getWebhook(parts),
    updateWebhook: updateWebhook(parts),
    deleteWebhook: deleteWebhook(parts),
    rollWebhookSecret: rollWebhookSecret(parts),
    testWebhook: testWebhook(parts),
    listWebhookDeliveries: listWebhookDeliveries(parts),
    resendWebhookDelivery: resendWebhookDelivery(parts),
    recoverWebhook: recoverWebhook(parts),
    getWebhookRecovery: getWebhookRecovery(parts),
    listEvents: listEvents(parts),
    getEvent: getEvent(parts),
    getTestClock: getTestClock(parts),
    advanceTestClock: advanceTestClock(parts),
    resetTestClock: resetTestClock(parts),
  };
  return Object.values(publicApi.operations).map((operation) =>
    endpoint(parts, operation, handlers[operation.id]),
  );
}
