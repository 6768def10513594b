import { bySubject, on, type Bus, type Closable, type ConsumeOptions } from '@gp/bus';
import { refundProgressed } from '@gp/contracts';
import { consumerOf } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { followRefunds } from '../app/follow-refunds.ts';
import type { RefundNews } from '../app/refund-news.ts';

/** Every fact refund keeps. */
export function subscriptions(db: Db): ConsumeOptions[] {
  const options = { durable: 'refund-progress', maxInFlight: 32, keyOf: bySubject, ...consumerOf(db) };
  return [on(refundProgressed, options, followRefunds(db))];
}

/** Every replica also hears the facts directly: any of them may be the one that an asker waits for. */
export function hearNews(bus: Bus, news: RefundNews): Closable {
  return bus.hear(refundProgressed, news.tell);
}
