import type { ConsumeOptions } from '@gp/bus';
import type { Db } from '@gp/pg';
import { recordDeadLetter } from './dead-letters.ts';

/**
 * Returns the options of consumers whose handlers end in a commit of this database. A statement takes
 * milliseconds, so a dead replica's messages are redelivered after 5 s, not after the usual 30; a message nobody
 * can handle becomes a dead letter; and nothing is pulled while the database is away.
 */
export function buildConsumerOptions(db: Db): Pick<ConsumeOptions, 'ackWaitMs' | 'onDead' | 'healthy'> {
  return {
    ackWaitMs: 5_000,
    onDead: (message) => recordDeadLetter(db, message),
    healthy: () => db.ping().then(() => true),
  };
}
