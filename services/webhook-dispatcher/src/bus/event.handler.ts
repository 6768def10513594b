import type { InboundMessage } from '@gp/bus';
import type { PublicEvent } from '@gp/contracts';
import type { NewEvent } from '../db/events.ts';

/** Takes a fact of the ledger; the text that receivers are sent is fixed here, once. */
export function eventHandler(take: (event: NewEvent) => Promise<void>): (m: InboundMessage) => Promise<void> {
  return (message) => take(asEvent(message));
}

function asEvent({ payload, traceparent }: InboundMessage): NewEvent {
  // Checked against its contract by the bus.
  const { id, type, created, data, ...event } = payload as PublicEvent;
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
