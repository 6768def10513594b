import { balanceOperations } from './balance.operations.ts';
import { customerOperations } from './customers.operations.ts';
import { eventOperations } from './events.operations.ts';
import { groupPaymentOperations } from './group-payments.operations.ts';
import { paymentOperations } from './payments.operations.ts';
import { requestLogOperations } from './request-logs.operations.ts';
import { refundOperations } from './refunds.operations.ts';
import { sessionOperations } from './sessions.operations.ts';
import { webhookDeliveryOperations } from './webhook-deliveries.operations.ts';
import { testClockOperations } from './test-clock.operations.ts';
import { webhookOperations } from './webhooks.operations.ts';

/** Every operation of the public API, by its name. */
export const operations = {
  ...groupPaymentOperations,
  ...paymentOperations,
  ...refundOperations,
  ...customerOperations,
  ...balanceOperations,
  ...sessionOperations,
  ...webhookOperations,
  ...webhookDeliveryOperations,
  ...eventOperations,
  ...requestLogOperations,
  ...testClockOperations,
} as const;

export type OperationId = keyof typeof operations;
