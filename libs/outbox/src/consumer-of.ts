import type { ConsumeOptions } from '@gp/bus';
import type { Db } from '@gp/pg';
import { recordDeadLetter } from './dead-letters.ts';

/**
 * What consumers have in common whose handlers end in a commit of this database. A statement takes milliseconds, so that
 * what is in the hands of a replica that died comes again after 5 s, not after the usual 30; what nobody can handle
 * becomes a dead letter; and nothing is taken while the database is away.
 */
export function consumerOf(db: Db): Pick<ConsumeOptions, 'ackWaitMs' | 'onDead' | 'healthy'> {
  return {
    ackWaitMs: 5_000,
    onDead: (message) => recordDeadLetter(db, message),
    healthy: () => db.ping().then(() => true),
  };
}
