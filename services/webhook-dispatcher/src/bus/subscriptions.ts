import { on, type ConsumeOptions } from '@gp/bus';
import { publicEvents } from '@gp/contracts';
import { buildConsumerOptions } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { CONSUMER } from '../app/events/take-event.ts';
import type { NewEvent } from '../db/events.ts';
import { eventHandler } from './event.handler.ts';

/** Every subscription of the dispatcher. */
export function subscriptions(o: {
  readonly db: Db;
  readonly take: (event: NewEvent) => Promise<void>;
}): ConsumeOptions[] {
  // Events that wait for a statement share the next one: what is in flight bounds a batch.
  const options = { durable: CONSUMER, maxInFlight: 200, ...buildConsumerOptions(o.db) };
  return [on(publicEvents, options, eventHandler(o.take))];
}
