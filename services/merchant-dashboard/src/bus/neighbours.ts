import type { Bus } from '@gp/bus';
import { noteGateway, putCredentials, revokeSessions, verifyCredentials } from '@gp/contracts';
import type { Neighbours } from '../app/ports.ts';

const TIMEOUT_MS = 10_000;
/** The durable event follows anyway: a ledger that is away must not keep the merchant waiting. */
const NOTE_TIMEOUT_MS = 2_000;

export function neighboursOn(bus: Bus): Neighbours {
  return {
    putCredentials: (psp, request) => bus.call(putCredentials(psp), request, { timeoutMs: TIMEOUT_MS }),
    verifyCredentials: (psp, request) => bus.call(verifyCredentials(psp), request, { timeoutMs: TIMEOUT_MS }),
    noteGateway: async (connection) =>
      void (await bus.call(noteGateway, connection, { timeoutMs: NOTE_TIMEOUT_MS })),
    revokeSessions: (group) => bus.call(revokeSessions, group, { timeoutMs: TIMEOUT_MS }),
  };
}
