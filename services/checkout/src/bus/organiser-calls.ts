import { createHash, randomBytes } from 'node:crypto';
import type { Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { OrganisedGroup, OrganiserCalls } from '../app/organiser/ports.ts';
import { withFacts } from './service-calls.ts';

/** A look-up is quick or fails, and a command is one transaction of the ledger. */
const FIND_MS = 4_000;
const COMMAND_MS = 8_000;

/** The calls of organisers' pages to the ledger, over the bus. */
export function buildOrganiserCalls(bus: Bus): OrganiserCalls {
  return {
    findOrganised: async (organiser_token) =>
      withRights(await bus.call(contracts.findOrganisedGroup, { organiser_token }, { timeoutMs: FIND_MS })),
    extend: async (organiser_token, expires_at) => {
      const command = { organiser_token, expires_at, ...identify(`extend ${organiser_token} ${expires_at}`) };
      return withFacts(await bus.call(contracts.extendAsOrganiser, command, { timeoutMs: COMMAND_MS }));
    },
    cancel: async (organiser_token) => {
      const command = { organiser_token, ...identify(`cancel ${organiser_token}`) };
      return withFacts(await bus.call(contracts.cancelAsOrganiser, command, { timeoutMs: COMMAND_MS }));
    },
  };
}

/**
 * Names one press of a button: the bus may deliver it twice. Another press is another command, which the ledger answers as the
 * first where nothing has changed since.
 */
const identify = (input: string): { command_id: string; fingerprint: string } => ({
  command_id: randomBytes(32).toString('hex'),
  fingerprint: createHash('sha256').update(input).digest('hex'),
});

function withRights(found: contracts.FoundGroup): OrganisedGroup {
  const { organiser } = found.group;
  return {
    ...withFacts(found),
    may: organiser?.may ?? [],
    latestExpiresAt: organiser?.latest_expires_at ?? null,
  };
}
