import type { OutboundMessage } from '@gp/bus';
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

/** Converts the row to the bus' message; JetStream and every inbox identify it by the row's id. */
export function toOutbound(row: OutboxRow): OutboundMessage {
  const { id, subject, mode, payload, traceparent } = row;
  return traceparent === null ? { id, subject, mode, payload } : { id, subject, mode, payload, traceparent };
}
