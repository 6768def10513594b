import type { Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { OrganisedGroup, OrganiserCalls } from '../app/organiser/ports.ts';
import { FIND_MS, withFacts } from './service-calls.ts';

/** A command is one transaction of the ledger. */
const COMMAND_MS = 8_000;

/** The calls of organisers' pages to the ledger, over the bus. */
export function buildOrganiserCalls(bus: Bus): OrganiserCalls {
  return {
    findOrganised: async (token) =>
      withRights(await bus.call(contracts.findOrganisedGroup, { token }, { timeoutMs: FIND_MS })),
    extend: async (token, expires_at) =>
      withFacts(await bus.call(contracts.organiserExtend, { token, expires_at }, { timeoutMs: COMMAND_MS })),
    cancel: async (token) =>
      withFacts(await bus.call(contracts.organiserCancel, { token }, { timeoutMs: COMMAND_MS })),
  };
}

function withRights(found: contracts.FoundGroup): OrganisedGroup {
  const { organiser } = found.group;
  return {
    ...withFacts(found),
    may: organiser?.may ?? [],
    latestExpiresAt: organiser?.latest_expires_at ?? null,
  };
}
