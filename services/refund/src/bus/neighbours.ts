import type { Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { Ledger } from '../app/ports.ts';
import { between } from '../fail-points.ts';

/** Calls the ledger over the bus. */
export function callLedger(bus: Bus): Ledger {
  return {
    open: (request, by) => between('open', () => bus.call(contracts.openRefund, request, by)),
    find: (request, by) => bus.call(contracts.findRefund, request, by),
  };
}
