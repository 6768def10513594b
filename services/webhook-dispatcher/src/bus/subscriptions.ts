import type { ConsumeOptions } from '@gp/bus';
import { EVENT_TYPES, message, PUBLIC_EVENT_FILTERS, PublicEvent } from '@gp/contracts';
import { consumerOf } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { CONSUMER } from '../app/take-event.ts';
import type { NewEvent } from '../db/events.ts';
import { eventHandler } from './event.handler.ts';

/** What public events are checked against before they reach the handler. */
export const messages = EVENT_TYPES.map((type) => message(`evt.ledger.${type}.v1`, PublicEvent));

/** Everything the dispatcher hears. */
export function subscriptions(o: {
  readonly db: Db;
  readonly take: (event: NewEvent) => Promise<void>;
}): ConsumeOptions[] {
  return [
    {
      durable: CONSUMER,
      stream: 'EVENTS',
      filters: PUBLIC_EVENT_FILTERS,
      // Events that wait for a statement share the next one: what is in flight bounds a batch.
      maxInFlight: 200,
      ...consumerOf(o.db),
      handler: eventHandler(o.take),
    },
  ];
}
