/**
 * The public API of merchants: the one source of its types, validators and description. Bodies of requests are
 * closed (an unknown field is a fault), responses may grow.
 */
export * from './public-api/group-payments.ts';
export * from './public-api/payments.ts';
export * from './public-api/customers.ts';
export * from './public-api/refunds.ts';
export * from './public-api/balance.ts';
export * from './public-api/sessions.ts';
export * from './public-api/webhooks.ts';
export * from './public-api/webhook-deliveries.ts';
export * from './public-api/event-bodies.ts';
export * from './public-api/events.ts';
export * from './public-api/request-logs.ts';
export * from './public-api/test-clock.ts';
export * from './public-api/error.ts';
export * from './public-api/operation.ts';
export * from './public-api/operations.ts';
