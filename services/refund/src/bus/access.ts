import type { BusAccess } from '@gp/bus';
import * as contracts from '@gp/contracts';

/** What refund does on the bus; `npm run generate` writes its permissions from this and from its subscriptions. */
export const access: BusAccess = {
  name: 'refund',
  serves: [contracts.requestRefund, ...contracts.operatorCalls('refund')],
  calls: [contracts.openRefund, contracts.findRefund],
  listens: contracts.refundProgressed.filters,
};
