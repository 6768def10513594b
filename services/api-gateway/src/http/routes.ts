import { publicApi } from '@gp/contracts';
import type { Route } from '@gp/http';
import { getBalance, getStatement } from './balance.routes.ts';
import { getCustomer, listCustomerPayments, listCustomers } from './customers.routes.ts';
import { confirmGroupPayment } from './group-payments/confirm-payment.route.ts';
import { cancelGroupPayment } from './group-payments/cancel-group-payment.route.ts';
import { createGroupPayment } from './group-payments/create-group-payment.route.ts';
import { rollCheckoutLink } from './group-payments/roll-checkout-link.route.ts';
import { rollOrganiserLink } from './group-payments/roll-organiser-link.route.ts';
import { createTestPayment } from './group-payments/create-test-payment.route.ts';
import { createSession } from './group-payments/create-session.route.ts';
import { endpoint, type Handle } from './request/endpoint.ts';
import { getEvent, listEvents } from './webhooks/events.routes.ts';
import { streamEvents } from './webhooks/stream-events.route.ts';
import { getGroupPayment } from './group-payments/get-group-payment.route.ts';
import { listGroupPayments } from './group-payments/list-group-payments.route.ts';
import { listPayments } from './group-payments/list-payments.route.ts';
import { payGroupPayment } from './group-payments/pay-group-payment.route.ts';
import { getRequestLog, listRequestLogs } from './request-logs.routes.ts';
import { refundGroupPayment } from './group-payments/refund-group-payment.route.ts';
import type { RouteParts } from './route-parts.ts';
import {
  getWebhookRecovery,
  listWebhookDeliveries,
  recoverWebhook,
  resendWebhookDelivery,
  rollWebhookSecret,
  testWebhook,
} from './webhooks/webhook-deliveries.routes.ts';
import { updateGroupPayment } from './group-payments/update-group-payment.route.ts';
import { advanceTestClock, getTestClock, resetTestClock } from './test-clock.routes.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  updateWebhook,
} from './webhooks/webhooks.routes.ts';

/** Every route, one for each operation of the public contract. */
export function routes(parts: RouteParts): Route[] {
  const handlers: Record<publicApi.OperationId, Handle> = {
    listGroupPayments: listGroupPayments(parts),
    createGroupPayment: createGroupPayment(parts),
    getGroupPayment: getGroupPayment(parts),
    payGroupPayment: payGroupPayment(parts),
    confirmPayment: confirmGroupPayment(parts),
    createTestPayment: createTestPayment(parts),
    refundGroupPayment: refundGroupPayment(parts),
    listCustomers: listCustomers(parts),
    getCustomer: getCustomer(parts),
    listCustomerPayments: listCustomerPayments(parts),
    getBalance: getBalance(parts),
    getStatement: getStatement(parts),
    rollCheckoutLink: rollCheckoutLink(parts),
    rollOrganiserLink: rollOrganiserLink(parts),
    updateGroupPayment: updateGroupPayment(parts),
    cancelGroupPayment: cancelGroupPayment(parts),
    listPayments: listPayments(parts),
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
    streamEvents: streamEvents(parts),
    getEvent: getEvent(parts),
    listRequestLogs: listRequestLogs(parts),
    getRequestLog: getRequestLog(parts),
    getTestClock: getTestClock(parts),
    advanceTestClock: advanceTestClock(parts),
    resetTestClock: resetTestClock(parts),
  };
  return Object.values(publicApi.operations).map((operation) =>
    endpoint(parts, operation, handlers[operation.id]),
  );
}
