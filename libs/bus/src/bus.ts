import {
  MESSAGES,
  verifyOperator,
  type BatchContract,
  type MessageContract,
  type NoteContract,
  type RpcContract,
} from '@gp/contracts';
import { buildInboxPrefix, openAccessCheck, type BusAccess } from './access.ts';
import { callContract } from './call.ts';
import { coalescer, type CoalesceOptions } from './coalesce.ts';
import { consumeStream, type ConsumeOptions } from './consume.ts';
import { openLink } from './link.ts';
import { listenToContract, listenToSubject, readListened } from './listen.ts';
import { silent, type BusLog } from './log.ts';
import type { OperatorSigner } from './operator-proof.ts';
import type { AskOperator } from './operators.ts';
import { handleLocally } from './redeliver.ts';
import type { Lag, Published } from './progress.ts';
import { publishStored, type OutboundMessage } from './publish.ts';
import { openRequests } from './requests.ts';
import { serveBatches, serveCalls, type BatchHandler, type CallContext, type Closable } from './serve.ts';
import { openStreams, type StreamOptions } from './streams.ts';
import { messageChecks } from './validate.ts';
import { DEFAULT_TIMEOUT_MS } from './wire.ts';

/** `deadline` is in epoch ms; with both, the earlier one counts. */
export type CallOptions = { deadline?: number; timeoutMs?: number };

export type BusOptions = {
  /** One NATS URL, or several separated by commas. */
  servers: string;
  /** The service's name, which the server's monitoring shows. */
  name: string;
  /**
   * Also checks replies before they are sent, and messages before they are published (their consumers check them
   * in any case). The default is on, and off where NODE_ENV is `production`.
   */
  strict?: boolean;
  log?: BusLog;
  /**
   * What the process does on the bus. A strict bus refuses what is not declared, as a server does that knows the
   * identity. Without a declaration the bus refuses nothing.
   */
  access?: BusAccess;
  /** Proves the identity to the server; without it the server must admit everybody. */
  nkeySeed?: string | undefined;
  /** Certificates of the authority that signed the servers' own, for `tls://`; by default those of Node. */
  caFile?: string | undefined;
  /** Signs the calls that only operators may make; without it the callees refuse them. */
  operator?: OperatorSigner | undefined;
  /** How long `openBus` waits for the first connection; later ones are made in the background. One second by default. */
  connectTimeoutMs?: number;
};

export interface Bus {
  /**
   * Sends a request and waits for the reply, for 5 s when no deadline or timeout is given; the callee stops at
   * the same deadline. Rejects with the callee's AppError, with `service_unavailable` when certainly nobody
   * received the request, and with `deadline_exceeded` when its effect is not known. A repeatable request
   * without a reply is sent again after 2 s: the first reply counts.
   */
  call<Req, Res>(contract: RpcContract<Req, Res>, request: Req, o?: CallOptions): Promise<Res>;
  /** Like call, but commands that arrive together share messages; each keeps its own result. */
  coalesce<Cmd, Res>(
    contract: BatchContract<Cmd, Res>,
    o?: CoalesceOptions,
  ): (command: Cmd, o?: { deadline?: number }) => Promise<Res>;
  /**
   * Serves calls, shared with the context's other replicas. Expired and invalid requests, and those for operators
   * without a valid signature, do not reach the handler, and a strict bus sends no reply that breaks the contract;
   * calls beyond the concurrency and a short queue get `service_unavailable` at once.
   */
  serve<Req, Res>(
    contract: RpcContract<Req, Res>,
    handler: (request: Req, ctx: CallContext) => Promise<Res>,
    o?: { concurrency?: number },
  ): Closable;
  /**
   * Serves coalesced commands: the handler returns one result each, in their order. A thrown error is the result
   * of every command.
   */
  serveBatch<Cmd, Res>(
    contract: BatchContract<Cmd, Res>,
    handler: BatchHandler<Cmd, Res>,
    o?: { concurrency?: number },
  ): Closable;
  /** Resolves when a stream has stored the message; after `service_unavailable`, publish it again. */
  publish(m: OutboundMessage): Promise<void>;
  /**
   * Creates or updates the streams COMMANDS and EVENTS as defined, now and whenever a server comes back without
   * them. Resolves when they exist, or after 10 s without a server: publish and consume wait on their own.
   */
  ensureStreams(o?: StreamOptions): Promise<void>;
  /**
   * Processes a durable consumer's messages. Resolved handler → acknowledged, and the server confirmed it;
   * `service_unavailable` → held and tried again in place while pulling pauses; other errors → again in 1–5 s, after ten
   * tries onDead, `conflict` after a quarter of an hour. What is not JSON or breaks its contract goes to onDead at once.
   */
  consume(o: ConsumeOptions): Closable;
  /**
   * Hands a message that was given up to this process's own consumer of its subject once more. Rejects with
   * `service_unavailable` while an outage lasts; a message that fails again becomes a dead letter again.
   */
  redeliver(m: OutboundMessage): Promise<void>;
  /** Receives every message of the subject (wildcards allowed) in every replica while connected; lossy. */
  listen(subject: string, onMessage: (m: { subject: string; payload: unknown }) => void): Closable;
  /**
   * Receives the messages of a contract in every replica while connected, lossy: a note, or a fact of any key. A
   * message that breaks the contract is logged and dropped.
   */
  listenTo<P>(contract: NoteContract<P> | MessageContract<P>, take: (payload: P) => void): Closable;
  /**
   * Publishes to all listeners of the subject; dropped when not connected. Not for messages that must survive.
   */
  announce(subject: string, payload: unknown): void;
  /** Returns whether the streams exist; rejects while no server replies. */
  hasStreams(): Promise<boolean>;
  /**
   * Returns a text that is another one when a stream was created anew, without what it held before; rejects while
   * no server replies or a stream is missing.
   */
  identifyStreams(): Promise<string>;
  /** Returns the last sequence of each stream; rejects while no server replies. */
  published(): Promise<Published>;
  /**
   * Returns whether the durable consumers of this process, shared with its replicas, have processed everything
   * up to `published`. Rejects while no server replies.
   */
  hasConsumed(published: Published): Promise<boolean>;
  /**
   * Returns the lag of the durable consumers of this process, shared with its replicas; rejects while no server
   * replies.
   */
  lags(): Promise<Lag[]>;
  isConnected(): boolean;
  /**
   * Calls `work` each time the connection is there again and the server has the subscriptions of the listeners: what was
   * sent to them before was missed.
   */
  whenConnected(work: () => void): Closable;
  /** Stops intake, lets work in hand finish, then disconnects. */
  close(): Promise<void>;
}

/** A service starts without its servers: its probes say so meanwhile. */
const CONNECT_TIMEOUT_MS = 1_000;

/** A command that runs once has nothing to do without its servers, so it is more patient than a service. */
export const COMMAND_CONNECT_TIMEOUT_MS = 5_000;

/** Opens a bus that reconnects for ever; it resolves after `connectTimeoutMs` even when no server replies yet. */
export async function openBus(o: BusOptions): Promise<Bus> {
  const log = o.log ?? silent;
  const closing = new AbortController();
  const { servers, name, access, nkeySeed, caFile } = o;
  const inboxPrefix = buildInboxPrefix(access?.name ?? name);
  const link = openLink({ servers, name, inboxPrefix, nkeySeed, caFile, log });
  const requests = openRequests(link, inboxPrefix);
  const mayCreate = access?.ownsStreams === true || nkeySeed === undefined;
  const streams = openStreams(link, log, closing.signal, mayCreate);
  const isStrict = o.strict ?? process.env['NODE_ENV'] !== 'production';
  const declared = openAccessCheck(isStrict ? access : undefined);
  const check = isStrict ? messageChecks(MESSAGES) : () => undefined;
  const open = new Set<Closable>();
  const consumed: ConsumeOptions[] = [];
  const caller = { requests, operator: o.operator };
  const askOperator: AskOperator = (claim, at) => {
    const deadline = computeDeadline({ deadline: at, timeoutMs: DEFAULT_TIMEOUT_MS });
    return callContract(caller, verifyOperator, { request: claim, deadline });
  };
  const base = { link, inboxPrefix, requests, streams, log, isStrict, askOperator };
  const keep = (c: Closable): Closable => {
    open.add(c);
    return { close: () => c.close().finally(() => open.delete(c)) };
  };
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await Promise.all([...open].map((c) => c.close()));
    closing.abort();
    await link.close();
  };
  await link.up(o.connectTimeoutMs ?? CONNECT_TIMEOUT_MS);

  return {
    async call(contract, request, at = {}) {
      declared('calls', contract.subject);
      return callContract(caller, contract, { request, deadline: computeDeadline(at) });
    },
    coalesce<Cmd, Res>(contract: BatchContract<Cmd, Res>, how: CoalesceOptions = {}) {
      declared('calls', contract.subject);
      const send = coalescer(requests, contract, how);
      return (command: Cmd, at: { deadline?: number } = {}) => send(command, at.deadline) as Promise<Res>;
    },
    serve(contract, handler, how) {
      declared('serves', contract.subject);
      return keep(serveCalls(base, contract, handler, how));
    },
    serveBatch(contract, handler, how) {
      declared('serves', contract.subject);
      return keep(serveBatches(base, contract, handler, how));
    },
    async publish(m) {
      declared('publishes', m.subject);
      await publishStored(requests, check, m);
    },
    ensureStreams: (how) => streams.ensure(how),
    consume(how) {
      consumed.push(how);
      return keep(consumeStream(base, how));
    },
    redeliver: (m) => handleLocally(consumed, m),
    hasStreams: () => streams.exist(),
    identifyStreams: () => streams.identify(),
    published: () => streams.published(),
    hasConsumed: (published) => streams.arePast(consumed, published),
    lags: () => streams.lags(consumed),
    listen(subject, onMessage) {
      declared('listens', subject);
      return keep(listenToSubject(link, log, subject, onMessage));
    },
    listenTo(contract, take) {
      declared('listens', readListened(contract));
      return keep(listenToContract(link, log, contract, take));
    },
    announce(subject, payload) {
      declared('announces', subject);
      link.live()?.publish(subject, JSON.stringify(payload));
    },
    isConnected: () => link.live() !== undefined,
    whenConnected(work) {
      const stop = link.watch((isUp) => {
        // The client sends the subscriptions of a new connection and waits for nothing; a round trip shows that the server has
        // them. If the connection is lost before, the next one runs the work.
        if (isUp)
          link
            .live()
            ?.flush()
            .then(work, () => undefined);
      });
      return keep({ close: async () => stop() });
    },
    close: () => (closed ??= close()),
  };
}

function computeDeadline({ deadline, timeoutMs }: CallOptions): number {
  if (deadline !== undefined && timeoutMs === undefined) return deadline;
  return Math.min(deadline ?? Infinity, Date.now() + (timeoutMs ?? DEFAULT_TIMEOUT_MS));
}
