import type { InboundMessage } from '@gp/bus';
import type { HeardEvent } from '@gp/contracts';
import type { NewEvent } from '../db/events.ts';

/** Takes a fact of the ledger; the text that receivers are sent is fixed here, once. */
export function eventHandler(take: (event: NewEvent) => Promise<void>) {
  return (event: HeardEvent, message: InboundMessage): Promise<void> => take(asEvent(event, message));
}

function asEvent(received: HeardEvent, { traceparent }: InboundMessage): NewEvent {
  const { id, type, created, data, ...event } = received;
  return {
    id,
    merchantId: event.merchant_id,
    mode: event.mode,
    type,
    groupId: event.group_id,
    sequence: event.sequence,
    payload: JSON.stringify({ id, type, created, data }),
    createdAt: created,
    traceparent: traceparent ?? null,
  };
}
