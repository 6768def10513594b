import type { Msg } from '@gp/bundled/nats';
import type { Mode } from './publish.ts';
import { readHeader, MODE, MSG_ID, parseJson, TRACEPARENT } from './wire.ts';

/** A message as a handler receives it. `id` is the publisher's: the key of the inbox. */
export type InboundMessage = {
  id: string;
  subject: string;
  payload: unknown;
  mode?: Mode;
  traceparent?: string;
  /** 1 on the first delivery. */
  deliveryCount: number;
  /** Reports to the server that the work goes on; the bus does this by itself every third of the ack wait. */
  working(): void;
};

/** A message that will not be tried again, with everything that an operator needs to judge and replay it. */
export type DeadMessage = Omit<InboundMessage, 'working'> & {
  /** The durable consumer that gave it up. */
  consumer: string;
  stream: string;
  /** The reason, as a text for the operator. `payload` is the raw text when it was not JSON. */
  reason: string;
};

/** Position of one delivery, which the server writes in the reply subject. */
export type Position = { deliveryCount: number; streamSequence: number };

/** `$JS.ACK.<stream>.<consumer>.<count>.<sequence>…`, or with domain and account hash after `ACK`. */
export function parsePosition(msg: Msg): Position {
  const tokens = (msg.reply ?? '').split('.');
  const at = tokens.length === 9 ? 4 : 6;
  return { deliveryCount: Number(tokens[at]), streamSequence: Number(tokens[at + 1]) };
}

/** The message for the handler; its payload is undefined when the body is not JSON. */
export function parseInboundMessage(msg: Msg, stream: string, position: Position): InboundMessage {
  const mode = readHeader(msg, MODE) as Mode | undefined;
  const traceparent = readHeader(msg, TRACEPARENT);
  return {
    id: readHeader(msg, MSG_ID) ?? `${stream}:${position.streamSequence}`,
    subject: msg.subject,
    payload: parseJson(msg.string()),
    ...(mode && { mode }),
    ...(traceparent && { traceparent }),
    deliveryCount: position.deliveryCount,
    working: () => signal(msg, '+WPI'),
  };
}

export type AckSignal = '+ACK' | '+WPI' | '+TERM' | `-NAK {"delay":${number}}`;

/** Sends without waiting: a lost signal only costs a redelivery. */
export function signal(msg: Msg, body: AckSignal): void {
  try {
    msg.respond(body);
  } catch {
    // The connection is closed for good; the server redelivers to another replica.
  }
}
