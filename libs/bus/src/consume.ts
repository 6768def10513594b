import { nanos, type Msg } from '@gp/bundled/nats';
import type { StreamContract } from '@gp/contracts';
import { AppError } from '@gp/errors';
import {
  parseInboundMessage,
  parsePosition,
  signal,
  type DeadMessage,
  type InboundMessage,
} from './delivery.ts';
import { countFailures, toReason, type Failures, type Pause } from './failures.ts';
import { openGate, type Gate } from './gate.ts';
import { keyedOrder } from './keyed-order.ts';
import type { Link } from './link.ts';
import type { BusLog } from './log.ts';
import { between } from './pause.ts';
import { openPull } from './pull.ts';
import type { Closable } from './serve.ts';
import type { StreamName, Streams } from './streams.ts';
import { trace } from './trace.ts';
import { matchesAny } from './subjects.ts';
import { compileCheck } from './validate.ts';

export type ConsumeOptions = {
  durable: string;
  stream: StreamName;
  filters: readonly string[];
  /**
   * The schema of every payload; a message that breaks it goes to onDead at once. Without it every JSON passes.
   */
  payload?: StreamContract<unknown>['payload'];
  /** Messages handled at the same time by this process. */
  maxInFlight: number;
  /** Must be idempotent by `m.id`: every message may arrive twice. */
  handler: (m: InboundMessage) => Promise<void>;
  /** Must have stored the message when it resolves; it is never delivered again. */
  onDead: (m: DeadMessage) => Promise<void>;
  /** Called while messages are held back; returns true when what the handler needs is reachable again. */
  healthy?: () => Promise<boolean>;
  /** Messages of one key are handled one after the other; without it all run side by side. */
  toOrderingKey?: (m: InboundMessage) => string;
  /** Bounds of the random pause before a message comes again, for tests; those of failures.ts by default. */
  retryMs?: Pause;
  /**
   * After this silence the server redelivers a message to another replica; 30 s. The bus reports messages in
   * hand as alive every third of it, so it only bounds how long a crashed replica's messages wait.
   */
  ackWaitMs?: number;
  /** Deliveries after which a message is given up unhandled, whatever their results; 100. */
  maxDeliver?: number;
};

/**
 * Far above the failures that give a message up, because the server also counts deliveries whose process was killed or stopped. It ends messages
 * that kill their process each time: one delivery more becomes a dead letter before anything handles it.
 */
const MAX_DELIVER = 100;
const ACK_WAIT_MS = 30_000;
/** Before a message comes again that did not fail, because this process stops or could not write its dead letter. */
const AGAIN_MS: Pause = [1_000, 5_000];
/**
 * Replicas share one consumer, and each takes no more than it has room for: capacity for this many, counting messages that
 * wait after a failure.
 */
const REPLICAS = 64;

export type ConsumeBase = {
  link: Link;
  inboxPrefix: string;
  streams: Streams;
  log: BusLog;
};

/** Processes a durable consumer's messages until closed; see Bus.consume. */
export function consumeStream(base: ConsumeBase, o: ConsumeOptions): Closable {
  const stopping = new AbortController();
  const held = new Map<number, { msg: Msg; done: Promise<void> }>();
  const gate = openGate({
    healthy: o.healthy,
    stopping: stopping.signal,
    onOpen: () => pull.more(),
    log: base.log,
    name: o.durable,
  });
  const ackWaitMs = o.ackWaitMs ?? ACK_WAIT_MS;
  const inOrder = keyedOrder();
  const failures = countFailures();
  const run = (m: InboundMessage, msg: Msg): Promise<void> => {
    const work = (): Promise<void> =>
      settle({ ...base, ...o, gate, failures, stopping: stopping.signal }, m, msg);
    const key = keyFor(o, m);
    return key === undefined ? work() : inOrder(key, work);
  };

  const pull = openPull({
    link: base.link,
    inboxPrefix: base.inboxPrefix,
    log: base.log,
    stream: o.stream,
    durable: o.durable,
    room: () => (gate.isOpen() ? o.maxInFlight - held.size : 0),
    prepare: () =>
      base.streams.ensureConsumer({
        stream: o.stream,
        durable: o.durable,
        filters: o.filters,
        ackWaitMs,
        maxAckPending: o.maxInFlight * REPLICAS,
      }),
    onMessage: (msg) => {
      const position = parsePosition(msg);
      const { streamSequence } = position;
      // After an interruption the server redelivers messages that are still being processed here.
      if (held.has(streamSequence)) return;
      const done = run(parseInboundMessage(msg, o.stream, position), msg)
        .catch((err: unknown) => base.log.error({ consumer: o.durable, err }, 'message left for redelivery'))
        .finally(() => {
          held.delete(streamSequence);
          pull.more();
        });
      held.set(streamSequence, { msg, done });
    },
  });
  const heartbeat = setInterval(() => {
    for (const { msg } of held.values()) signal(msg, '+WPI');
  }, ackWaitMs / 3);

  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await pull.stop();
    stopping.abort();
    await Promise.all([...held.values()].map(({ done }) => done));
    clearInterval(heartbeat);
  };
  return { close: () => (closed ??= close()) };
}

type Settling = ConsumeBase & ConsumeOptions & { gate: Gate; failures: Failures; stopping: AbortSignal };

/** Finishes one delivery: acknowledges it, returns it for a later try, or makes it a dead letter. */
async function settle(s: Settling, m: InboundMessage, msg: Msg): Promise<void> {
  // The one filter of the consumer may cover more than was asked for.
  if (s.stream === 'EVENTS' && !matchesAny(s.filters, m.subject)) return signal(msg, '+ACK');
  const fault = findFault(s, m);
  if (fault !== undefined) return bury(s, m, msg, fault);
  const key = `${parsePosition(msg).streamSequence} ${m.id}`;
  const verdict = s.failures.verdict(key);
  if (verdict !== undefined) return bury(s, m, msg, verdict);
  const failed = await attempt(s, () =>
    trace().run(
      {
        kind: 'consumer',
        subject: m.subject,
        messageId: m.id,
        durable: s.durable,
        traceparent: m.traceparent,
      },
      () => s.handler(m),
    ),
  );
  if (failed === 'stopping') return handBack(s, msg);
  if (failed === undefined) {
    s.failures.forget(key);
    // An acknowledgement that is lost with the connection brings the message again, and the inbox drops it.
    return signal(msg, '+ACK');
  }
  const { tries, pauseMs } = s.failures.add(key, failed.error);
  s.log.error(
    { consumer: s.durable, id: m.id, subject: m.subject, try: tries, err: failed.error },
    'message failed',
  );
  if (!pauseMs) return bury(s, m, msg, toReason(failed.error));
  handBack(s, msg, pauseMs);
}

function findFault(o: ConsumeOptions, m: InboundMessage): string | undefined {
  if (!matchesAny(o.filters, m.subject)) return 'no handler takes this subject';
  if (m.deliveryCount > (o.maxDeliver ?? MAX_DELIVER)) return 'every delivery ended without a verdict';
  if (m.payload === undefined) return 'invalid message: the body is not JSON';
  const broken = o.payload && compileCheck(o.payload)(m.payload);
  return broken === undefined ? undefined : `invalid message: ${broken}`;
}

/** Writes the dead letter, then ends the message; without the letter the message stays. */
async function bury(s: Settling, m: InboundMessage, msg: Msg, reason: string): Promise<void> {
  const { working: _none, ...facts } = m;
  const payload = m.payload === undefined ? msg.string() : m.payload;
  const dead: DeadMessage = { ...facts, payload, consumer: s.durable, stream: s.stream, reason };
  if (await keepDead(s, dead)) return signal(msg, '+TERM');
  handBack(s, msg);
}

/** Writes the dead letter; returns false when that failed. */
async function keepDead(s: Settling, dead: DeadMessage): Promise<boolean> {
  const failed = await attempt(s, () => s.onDead(dead));
  if (failed !== undefined && failed !== 'stopping')
    s.log.error({ consumer: s.durable, id: dead.id, err: failed.error }, 'dead letter not written');
  return failed === undefined;
}

/** Runs `work` and waits in place while an outage lasts; returns undefined on success. */
async function attempt(
  s: Settling,
  work: () => Promise<void>,
): Promise<undefined | 'stopping' | { error: unknown }> {
  while (await s.gate.pass()) {
    try {
      await work();
      return undefined;
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'service_unavailable')) return { error };
      await s.gate.outage();
    }
  }
  return 'stopping';
}

function handBack(s: Settling, msg: Msg, pauseMs = AGAIN_MS): void {
  signal(msg, `-NAK {"delay":${nanos(Math.round(between(...(s.retryMs ?? pauseMs))))}}`);
}

/** A message whose key cannot be read has no order to keep; its handler reports the fault. */
function keyFor(o: ConsumeOptions, m: InboundMessage): string | undefined {
  try {
    return m.payload === undefined ? undefined : o.toOrderingKey?.(m);
  } catch {
    return undefined;
  }
}
