import type { BusAccess } from '@gp/bus';
import { payerCalls, testClockCalls } from '@gp/contracts';

/** What the sandbox does on the bus: it follows test clocks, plays payers and sends nothing. */
export const access: BusAccess = {
  name: 'psp-sandbox',
  serves: [...testClockCalls('psp_sandbox'), ...payerCalls],
};
