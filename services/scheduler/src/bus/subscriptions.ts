import type { ConsumeOptions } from '@gp/bus';
import { changeTimers } from '@gp/contracts';
import { consumerOf } from '@gp/outbox';
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
      ...consumerOf(db),
      handler: takeInstructions(db),
    },
  ];
}
