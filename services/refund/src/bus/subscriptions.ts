import type { Bus, Closable, ConsumeOptions } from '@gp/bus';
import { refundProgressed, type RefundView } from '@gp/contracts';
import { consumerOf } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { followRefunds } from '../app/follow-refunds.ts';
import type { RefundNews } from '../app/refund-news.ts';

const subject = `${refundProgressed.subject}.*`;

/** Every fact refund keeps. */
export function subscriptions(db: Db): ConsumeOptions[] {
  const follow = followRefunds(db);
  return [
    {
      durable: 'refund-progress',
      stream: 'EVENTS',
      filters: [subject],
      maxInFlight: 32,
      ...consumerOf(db),
      keyOf: (message) => message.subject,
      handler: (message) => follow(message.payload as RefundView),
    },
  ];
}

/** Every replica also hears the facts directly: any of them may be the one that an asker waits for. */
export function hearNews(bus: Bus, news: RefundNews): Closable {
  return bus.listen(subject, ({ payload }) => {
    if (isView(payload)) news.tell(payload);
  });
}

function isView(payload: unknown): payload is RefundView {
  const view = payload as Partial<RefundView> | null | undefined;
  return typeof view?.group_id === 'string' && Array.isArray(view.parts);
}
