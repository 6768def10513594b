import { on, type ConsumeOptions } from '@gp/bus';
import { changeTimers } from '@gp/contracts';
import { consumerOf } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { takeInstructions } from './timer.handler.ts';

/** Everything the scheduler hears. */
export function subscriptions(db: Db): ConsumeOptions[] {
  // Instructions that wait for a statement share the next one: what is in flight bounds a batch.
  const options = { durable: 'scheduler-timers', maxInFlight: 200, ...consumerOf(db) };
  return [on(changeTimers, options, takeInstructions(db))];
}
