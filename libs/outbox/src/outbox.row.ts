import type { Bus, OutboundMessage } from '@gp/bus';
import type { Mode } from '@gp/contracts';

export const MESSAGE_COLUMNS = 'position, id, subject, group_key, mode, payload, traceparent';

export type OutboxRow = {
  position: bigint;
  id: string;
  subject: string;
  group_key: string;
  mode: Mode;
  payload: unknown;
  traceparent: string | null;
};

/** Begins the group key of messages that an operator replays: each is a group by itself. */
export const REPLAYED = 'dead-letter:';

/**
 * Sends a row: a replayed one to this process's own consumer, since no service may publish what it consumes, any
 * other to the bus.
 */
export function sendRow(bus: Pick<Bus, 'publish' | 'redeliver'>, row: OutboxRow): Promise<void> {
  const message = toOutbound(row);
  return row.group_key.startsWith(REPLAYED) ? bus.redeliver(message) : bus.publish(message);
}

/** Converts the row to the bus' message; JetStream and every inbox identify it by the row's id. */
export function toOutbound(row: OutboxRow): OutboundMessage {
  const { id, subject, mode, payload, traceparent } = row;
  return traceparent === null ? { id, subject, mode, payload } : { id, subject, mode, payload, traceparent };
}
