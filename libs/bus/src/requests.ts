import { randomUUID } from 'node:crypto';
import {
  createInbox,
  errors,
  headers as newHeaders,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
} from '@gp/bundled/nats';
import { AppError } from '@gp/errors';
import type { Link } from './link.ts';
import { COPY } from './wire.ts';

/**
 * Why a request has no reply. `disconnected` and `no_responders`: nobody received it. `lost` (the connection
 * broke while waiting) and `timeout`: a callee may have received it.
 */
export type RequestFault = 'disconnected' | 'no_responders' | 'lost' | 'timeout';

export class RequestFailed extends Error {
  readonly fault: RequestFault;

  constructor(fault: RequestFault, subject: string) {
    super(`${subject}: ${fault}`);
    this.name = 'RequestFailed';
    this.fault = fault;
  }
}

export type Requests = {
  /**
   * Resolves with the first reply; rejects with RequestFailed, or `payload_too_large` (1 MiB by default). With
   * `againMs` it is sent again after every such silence with the same reply subject: the first reply to any copy
   * counts.
   */
  send(
    subject: string,
    body: string,
    o: { timeoutMs: number; headers?: MsgHdrs; againMs?: number },
  ): Promise<Msg>;
};

type Waiting = {
  subject: string;
  resolve: (m: Msg) => void;
  reject: (e: RequestFailed) => void;
  timer: NodeJS.Timeout;
  again?: NodeJS.Timeout;
  wasSentAgain?: boolean;
};

/**
 * Request/reply over one reply subscription. The client's own `request` leaves callers waiting for their whole
 * timeout when the connection breaks, and buffers requests while there is none; here both fail at once.
 */
export function openRequests(link: Link, inboxPrefix: string): Requests {
  const inbox = `${createInbox(inboxPrefix)}.`;
  const waiting = new Map<string, Waiting>();

  const settle = (token: string): Waiting | undefined => {
    const entry = waiting.get(token);
    clearTimeout(entry?.timer);
    clearInterval(entry?.again);
    waiting.delete(token);
    return entry;
  };
  const fail = (token: string, fault: RequestFault): void => {
    const entry = settle(token);
    entry?.reject(new RequestFailed(fault, entry.subject));
  };

  link.attach((nc) => {
    nc.subscribe(`${inbox}*`, {
      callback: (err, msg) => {
        if (err) return;
        const token = msg.subject.slice(inbox.length);
        // A copy that finds no listener does not settle the call: a callee that is shutting down may still reply
        // to the first.
        if (!saysNobodyListens(msg)) settle(token)?.resolve(msg);
        else if (!waiting.get(token)?.wasSentAgain) fail(token, 'no_responders');
      },
    });
  });
  link.watch((isUp) => {
    if (!isUp) for (const token of [...waiting.keys()]) fail(token, 'lost');
  });

  return {
    send(subject, body, { timeoutMs, headers, againMs }) {
      return new Promise((resolve, reject) => {
        const nc = link.live();
        if (!nc) return reject(new RequestFailed('disconnected', subject));
        // A callee knows the inbox: it must not guess the reply subject of a call to somebody else.
        const token = randomUUID();
        const timer = setTimeout(fail, Math.max(1, timeoutMs), token, 'timeout');
        const entry: Waiting = { subject, resolve, reject, timer };
        waiting.set(token, entry);
        try {
          publish(nc, subject, body, inbox + token, headers);
        } catch (e) {
          settle(token);
          return reject(notSent(subject, e));
        }
        if (againMs === undefined) return;
        const copyHeaders = headers ?? newHeaders();
        const sendAgain = (): void => {
          const now = link.live();
          if (!now || !waiting.has(token)) return;
          entry.wasSentAgain = true;
          copyHeaders.set(COPY, '1');
          publish(now, subject, body, inbox + token, copyHeaders);
        };
        // A process that was stalled runs its timers before it reads its sockets, where the reply may already
        // wait.
        entry.again = setInterval(() => setImmediate(sendAgain), againMs);
      });
    },
  };
}

function publish(nc: NatsConnection, subject: string, body: string, reply: string, headers?: MsgHdrs): void {
  nc.publish(subject, body, headers ? { reply, headers } : { reply });
}

function notSent(subject: string, e: unknown): Error {
  if (e instanceof errors.InvalidArgumentError) return new AppError('payload_too_large', {}, { cause: e });
  return new RequestFailed('disconnected', subject);
}

/** Detects the server's reply for a subject without a subscriber: an empty message with status 503. */
function saysNobodyListens(msg: Msg): boolean {
  return msg.data.length === 0 && msg.headers?.code === 503;
}
