import type { ConsumeOptions } from '@gp/bus';
import { noteKeyExposure, type KeyExposure } from '@gp/contracts';
import { recordDeadLetter } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { CONSUMER, takeExposure } from '../app/key-exposures.ts';

/** Everything the dashboard hears. */
export function subscriptions(db: Db): ConsumeOptions[] {
  const take = takeExposure(db);
  return [
    {
      durable: CONSUMER,
      stream: 'COMMANDS',
      filters: [noteKeyExposure.subject],
      maxInFlight: 4,
      // Sightings in the hands of a replica that died must not wait the usual 30 s.
      ackWaitMs: 5_000,
      handler: (message) => take(message.id, message.payload as KeyExposure),
      onDead: (message) => recordDeadLetter(db, message),
      healthy: () => db.ping().then(() => true),
    },
  ];
}
