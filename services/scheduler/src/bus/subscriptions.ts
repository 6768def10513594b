import type { ConsumeOptions } from '@gp/bus';
import { recordDeadLetter } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { takeInstruction } from './timer.handler.ts';

/** Everything the scheduler hears. */
export function subscriptions(db: Db): ConsumeOptions[] {
  return [
    {
      durable: 'scheduler-timers',
      stream: 'COMMANDS',
      filters: ['cmd.scheduler.timer.*.v1'],
      // Instructions that wait for a statement share the next one: what is in flight bounds a batch.
      maxInFlight: 200,
      handler: takeInstruction(db),
      onDead: (message) => recordDeadLetter(db, message),
      healthy: () => db.ping().then(() => true),
    },
  ];
}
