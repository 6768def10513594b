import type { BusAccess } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { pspCodes } from '@gp/gateway-registry';

/** Every context that may follow test clocks. */
const FOLLOWERS = [...pspCodes, 'psp_sandbox', 'webhooks', 'ledger'];

/** What the scheduler does on the bus; `npm run generate` writes its permissions from this and from its subscriptions. */
export const access: BusAccess = {
  name: 'scheduler',
  serves: [
    contracts.findTimers,
    contracts.findTestClock,
    contracts.advanceTestClock,
    contracts.resetTestClock,
    ...contracts.operatorCalls('scheduler'),
  ],
  calls: FOLLOWERS.flatMap(contracts.testClockCalls),
  publishes: contracts.fireTimer('ledger').filters,
};
