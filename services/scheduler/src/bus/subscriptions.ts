import type { ConsumeOptions } from '@gp/bus';
import { changeTimers } from '@gp/contracts';
import { recordDeadLetter } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { takeInstructions } from './timer.handler.ts';

/** Everything the scheduler hears. */
export function subscriptions(db: Db): ConsumeOptions[] {
  return [
    {
      durable: 'scheduler-timers',
      stream: 'COMMANDS',
      filters: [changeTimers.subject],
      // Instructions that wait for a statement share the next one: what is in flight bounds a batch.
      maxInFlight: 200,
      // A statement takes milliseconds; the timers of a crashed replica should not wait for half a minute.
      ackWaitMs: 5_000,
      handler: takeInstructions(db),
      onDead: (message) => recordDeadLetter(db, message),
      healthy: () => db.ping().then(() => true),
    },
  ];
}
