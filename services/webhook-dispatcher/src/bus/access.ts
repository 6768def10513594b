import type { BusAccess } from '@gp/bus';
import * as contracts from '@gp/contracts';

/** What the dispatcher does on the bus; `npm run generate` writes its permissions from this and from its subscriptions. */
export const access: BusAccess = {
  name: 'webhook-dispatcher',
  serves: [
    ...contracts.webhookCalls,
    ...contracts.eventStreamCalls,
    contracts.listGroupDeliveries,
    contracts.sumAttempts,
    ...contracts.operatorCalls('webhooks'),
    ...contracts.testClockCalls('webhooks'),
  ],
  publishes: contracts.endpointFailing.filters,
};
