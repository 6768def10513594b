import type { ConsumeOptions } from '@gp/bus';
import { noteKeyExposure, noteKeyUse, type KeyExposure, type KeyUse } from '@gp/contracts';
import { recordDeadLetter } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { CONSUMER, takeExposure, takeKeyUse, USE_CONSUMER } from '../app/key-exposures.ts';

/** Everything the dashboard hears. */
export function subscriptions(db: Db): ConsumeOptions[] {
  const takeSeen = takeExposure(db);
  const takeUsed = takeKeyUse(db);
  const shared = {
    stream: 'COMMANDS',
    maxInFlight: 4,
    // What is in the hands of a replica that died must not wait the usual 30 s.
    ackWaitMs: 5_000,
    onDead: (message) => recordDeadLetter(db, message),
    healthy: () => db.ping().then(() => true),
  } satisfies Partial<ConsumeOptions>;
  return [
    {
      ...shared,
      durable: CONSUMER,
      filters: [noteKeyExposure.subject],
      handler: (message) => takeSeen(message.id, message.payload as KeyExposure),
    },
    {
      ...shared,
      durable: USE_CONSUMER,
      filters: [noteKeyUse.subject],
      handler: (message) => takeUsed(message.payload as KeyUse),
    },
  ];
}
