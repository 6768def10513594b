import type { Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Gateways, Ledger } from '../app/ports.ts';

const prepareBy = {
  gateway_a: contracts.prepareIntent('gateway_a'),
  gateway_b: contracts.prepareIntent('gateway_b'),
  gateway_c: contracts.prepareIntent('gateway_c'),
} as const;

const isKnown = (psp: string): psp is keyof typeof prepareBy => Object.hasOwn(prepareBy, psp);

export function ledgerOn(bus: Bus): Ledger {
  return {
    reserve: (request, by) => bus.call(contracts.reserveSlots, request, by),
    // Worth its own patience: it runs after the caller's deadline is nearly used up.
    release: (request) => bus.call(contracts.releaseIntent, request, { timeoutMs: 3_000 }),
    beginAuthorisation: (request, by) => bus.call(contracts.beginAuthorisation, request, by),
  };
}

export function gatewaysOn(bus: Bus): Gateways {
  return {
    prepare(psp, request, by) {
      if (!isKnown(psp)) throw new AppError('no_active_gateway');
      return bus.call(prepareBy[psp], request, { ...by, timeoutMs: 20_000 });
    },
  };
}
