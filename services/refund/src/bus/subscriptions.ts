import { bySubject, on, type Bus, type Closable, type ConsumeOptions } from '@gp/bus';
import { refundProgressed } from '@gp/contracts';
import { buildConsumerOptions } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { followRefunds } from '../app/follow-refunds.ts';
import type { RefundUpdates } from '../app/refund-updates.ts';

/** Every fact that refund stores. */
export function subscriptions(db: Db): ConsumeOptions[] {
  const options = {
    durable: 'refund-progress',
    maxInFlight: 32,
    toOrderingKey: bySubject,
    ...buildConsumerOptions(db),
  };
  return [on(refundProgressed, options, followRefunds(db))];
}

/** Every replica also receives the facts directly, because any of them may hold the request that waits. */
export function listenForUpdates(bus: Bus, updates: RefundUpdates): Closable {
  return bus.listenTo(refundProgressed, updates.publish);
}
