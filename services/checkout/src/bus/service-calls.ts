import type { Bus } from '@gp/bus';
import { readFacts } from '@gp/checkout-web/group-facts';
import * as contracts from '@gp/contracts';
import { AppError } from '@gp/errors';
import { forEachGateway, isPspCode } from '@gp/gateway-registry';
import type { Gateways, Ledger, PaymentLists } from '../app/ports.ts';
import type { KnownGroup } from '../domain/picture.ts';
import { between } from '../fail-points.ts';

const prepareBy = forEachGateway((_manifest, code) => contracts.prepareIntent(code));

/** A release has its own timeout, because it starts when the caller's deadline is nearly used up. */
const RELEASE_MS = 3_000;
/** As patient as the API: while replicas are replaced, a page that takes seconds is better than one that is refused. */
export const FIND_MS = 8_000;

/** The ledger, over the bus. */
export function buildLedgerCalls(bus: Bus): Ledger & PaymentLists {
  return {
    reserve: (request, by) => between('reserve', () => bus.call(contracts.reserveSlots, request, by)),
    release: (request) =>
      between('release', () => bus.call(contracts.releaseIntent, request, { timeoutMs: RELEASE_MS })),
    beginAuthorisation: (request, by) =>
      between('begin-authorisation', () => bus.call(contracts.beginAuthorisation, request, by)),
    findGroup: async (request) =>
      withFacts(await bus.call(contracts.findGroup, request, { timeoutMs: FIND_MS })),
    findGroupByPageToken: async (page_token) =>
      withFacts(await bus.call(contracts.findGroupByPageToken, { page_token }, { timeoutMs: FIND_MS })),
    rollPageToken: (request) => bus.call(contracts.rollPageToken, request, { timeoutMs: FIND_MS }),
    listPayments: (request) => bus.call(contracts.listPayments, request, { timeoutMs: FIND_MS }),
    findIntent: (request) => bus.call(contracts.findIntent, request, { timeoutMs: FIND_MS }),
    hideName: (request) => bus.call(contracts.hideName, request, { timeoutMs: FIND_MS }),
  };
}

/** Returns a group with its facts, which a replica of release 1.0 does not send. */
export function withFacts(found: contracts.FoundGroup): KnownGroup {
  return { ...found, facts: readFacts({ state: found.group.state, facts: found.facts }) };
}

/** The adapters, over the bus. */
export function buildGatewayCalls(bus: Bus): Gateways {
  return {
    async prepare(psp, request, by) {
      if (!isPspCode(psp)) throw new AppError('no_active_gateway');
      return between('prepare', () => bus.call(prepareBy[psp], request, by));
    },
  };
}
