import { on, type ConsumeOptions } from '@gp/bus';
import { changeTimers } from '@gp/contracts';
import { buildConsumerOptions } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { applyInstructions } from './timer.handler.ts';

/** Every message that the scheduler handles. */
export function subscriptions(db: Db, onStored?: (dueAtMs: number) => void): ConsumeOptions[] {
  // Instructions that arrive while a statement runs share the next one, so the messages in flight bound a batch.
  const options = { durable: 'scheduler-timers', maxInFlight: 200, ...buildConsumerOptions(db) };
  return [on(changeTimers, options, applyInstructions(db, onStored))];
}
