export * from './contract.ts';
export * from './common.ts';
export { formats, isDate, UUID } from './formats.ts';
export { parseInstant } from './instant.ts';
export * from './ledger/changes.ts';
export * from './ledger/customers.ts';
export * from './ledger/lookups.ts';
export * from './ledger/money.ts';
export * from './ledger/movements.ts';
export * from './ledger/views.ts';
export * from './ledger/commands.ts';
export * from './gateway/outcome.ts';
export { DECLINE_REASONS, findDeclineReason, type ToldDeclineReason } from './gateway/decline-reason.ts';
export * from './events/events.ts';
export {
  decodePaymentRef,
  encodePaymentIds,
  encodePaymentRef,
  buildPaymentRef,
  type PaymentIds,
  type PaymentRef,
  type PaymentRefMessage,
} from './gateway/payment-ref.ts';
export * from './gateway/gateway.ts';
export * from './checkout/checkout.ts';
export * from './sandbox/payers.ts';
export * from './refund/refund.ts';
export * from './checkout/sessions.ts';
export * from './time/scheduler.ts';
export * from './merchant/merchant.ts';
export * from './merchant/logo.ts';
export * from './merchant/settings.ts';
export { MESSAGES } from './messages.ts';
export * from './webhooks/endpoints.ts';
export * from './webhooks/endpoint-failing.ts';
export * from './webhooks/deliveries.ts';
export * from './events/event-log.ts';
export { eventStreamCalls, webhookCalls } from './webhooks/calls.ts';
export * from './merchant/dashboard-views.ts';
export * from './api-gateway/limits.ts';
export * from './api-gateway/request-logs.ts';
export * from './merchant/api-key.ts';
export * from './operator/operator.ts';
export * from './operator/audit.ts';
export * from './operator/keys.ts';
export * from './ledger/operator.ts';
export * from './ledger/organiser.ts';
export * from './ledger/shown-names.ts';
export * from './operator/reconciliation.ts';
export * from './time/test-clock.ts';
export * as publicApi from './public-api.ts';
