import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import type { Link } from './link.ts';
import type { BusLog } from './log.ts';
import { atMost, between, pause } from './pause.ts';
import { arePast, lagsOf, lastSequences, type Lag, type Published } from './progress.ts';

export type StreamName = 'COMMANDS' | 'EVENTS';

/** Copies of every stored message: 1 on a single server, 3 in a cluster. */
export type StreamOptions = { replicas?: number };

const DAY_MS = 24 * 60 * 60 * 1_000;
const API_TIMEOUT_MS = 3_000;
/** ensureStreams hands control back after this long; it goes on trying behind the caller's back. */
const FIRST_TRY_MS = 10_000;

/** The server's code for "a stream of this name exists with another configuration". */
const STREAM_NAME_IN_USE = 10058;
const CONSUMER_EXISTS = 10148;

export type Streams = {
  /** Creates or updates both streams; resolves when they stand, or after 10 s while it goes on trying. */
  ensure(o?: StreamOptions): Promise<void>;
  /** Creates or updates a durable pull consumer, making the streams again should they have vanished. */
  ensureConsumer(c: DurableConsumer): Promise<void>;
  published(): Promise<Published>;
  arePast(
    consumers: readonly Pick<DurableConsumer, 'stream' | 'durable'>[],
    published: Published,
  ): Promise<boolean>;
  lags(consumers: readonly Pick<DurableConsumer, 'stream' | 'durable'>[]): Promise<Lag[]>;
};

export type DurableConsumer = {
  stream: StreamName;
  durable: string;
  filters: readonly string[];
  maxAckPending: number;
  ackWaitMs: number;
  maxDeliver: number;
};

export function openStreams(link: Link, log: BusLog, closing: AbortSignal): Streams {
  let replicas = 1;
  let isWanted = false;
  let running: Promise<void> | undefined;

  const untilDone = async (): Promise<void> => {
    while (!closing.aborted) {
      if (!(await link.up(1_000))) continue;
      try {
        return await createStreams(await manager(link), replicas);
      } catch (err) {
        log.warn({ err }, 'streams are not ready');
        await pause(between(200, 500), closing);
      }
    }
  };
  const ensure = (): Promise<void> => (running ??= untilDone().finally(() => (running = undefined)));

  // A server that came back without its disk gets its streams again.
  link.watch((isUp) => {
    if (isUp && isWanted) void ensure();
  });

  return {
    async ensure(o = {}) {
      replicas = o.replicas ?? replicas;
      isWanted = true;
      await atMost(FIRST_TRY_MS, ensure());
    },
    async ensureConsumer(c) {
      const jsm = await manager(link);
      await createConsumer(jsm, c).catch(async (e: unknown) => {
        if (!isMissingStream(e)) throw e;
        await createStreams(jsm, replicas);
        await createConsumer(jsm, c);
      });
    },
    published: async () => lastSequences(await manager(link)),
    lags: async (consumers) => lagsOf(await manager(link), consumers),
    arePast: async (consumers, published) => arePast(await manager(link), consumers, published),
  };
}

/** The streams as they must be; subjects of questions (`rpc.>`) belong to none of them. */
function definitions(replicas: number): (Partial<StreamConfig> & { name: StreamName })[] {
  const common = {
    storage: StorageType.File,
    duplicate_window: nanos(2 * 60 * 1_000),
    num_replicas: replicas,
  };
  return [
    { ...common, name: 'COMMANDS', subjects: ['cmd.>'], retention: RetentionPolicy.Workqueue },
    {
      ...common,
      name: 'EVENTS',
      subjects: ['evt.>'],
      retention: RetentionPolicy.Limits,
      max_age: nanos(30 * DAY_MS),
    },
  ];
}

async function createStreams(jsm: JetStreamManager, replicas: number): Promise<void> {
  for (const stream of definitions(replicas)) {
    try {
      await jsm.streams.add(stream);
    } catch (e) {
      if (!hasCode(e, STREAM_NAME_IN_USE)) throw e;
      const { name, retention: _fixed, storage: _onCreation, ...changeable } = stream;
      await jsm.streams.update(name, changeable);
    }
  }
}

async function createConsumer(jsm: JetStreamManager, c: DurableConsumer): Promise<void> {
  const changeable = {
    filter_subjects: [...c.filters],
    ack_wait: nanos(c.ackWaitMs),
    max_ack_pending: c.maxAckPending,
    max_deliver: c.maxDeliver,
  };
  try {
    await jsm.consumers.add(c.stream, {
      ...changeable,
      durable_name: c.durable,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
    });
  } catch (e) {
    if (!hasCode(e, CONSUMER_EXISTS)) throw e;
    await jsm.consumers.update(c.stream, c.durable, changeable);
  }
}

function manager(link: Link): Promise<JetStreamManager> {
  const nc: NatsConnection | undefined = link.live();
  if (!nc) return Promise.reject(new Error('not connected'));
  return jetstreamManager(nc, { checkAPI: false, timeout: API_TIMEOUT_MS });
}

function hasCode(e: unknown, code: number): boolean {
  return e instanceof JetStreamApiError && e.code === code;
}

function isMissingStream(e: unknown): boolean {
  return e instanceof JetStreamApiError && e.apiError().code === 404;
}
