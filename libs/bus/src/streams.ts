import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiError,
  jetstreamManager,
  nanos,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type NatsConnection,
  type StreamConfig,
} from '@gp/bundled/nats';
import type { StreamName } from '@gp/contracts';
import type { Link } from './link.ts';
import type { BusLog } from './log.ts';
import { atMost, between, pause } from './pause.ts';
import { coverSubjects } from './subjects.ts';
import { arePast, measureLags, lastSequences, type Lag, type Published } from './progress.ts';

export type { StreamName };

/**
 * Copies of every stored message: 1 on a single server, 3 in a cluster. Without it, an existing stream keeps its
 * number of copies.
 */
export type StreamOptions = { replicas?: number };

/** How long EVENTS keeps a message. */
export const EVENTS_DAYS = 14;
const DAY_MS = 24 * 60 * 60 * 1_000;
const API_TIMEOUT_MS = 3_000;
/** ensureStreams returns after this long and goes on trying in the background. */
const FIRST_TRY_MS = 10_000;

/** The server's code for "a stream of this name exists with another configuration". */
const STREAM_NAME_IN_USE = 10058;
/** The server's code for "a consumer of this name exists with another configuration". */
const CONSUMER_EXISTS = 10148;
/** The client's own `update` asks for the old configuration first and sends what that had; its types omit this option. */
const UPDATE: object = { action: 'update' };

export type Streams = {
  /** Creates or updates both streams; resolves when they exist, or after 10 s while it goes on trying. */
  ensure(o?: StreamOptions): Promise<void>;
  /** Creates or updates a durable pull consumer, and the streams again when they have vanished. */
  ensureConsumer(c: DurableConsumer): Promise<void>;
  /** Returns whether both streams exist, whatever their configuration; rejects while no server replies. */
  exist(): Promise<boolean>;
  /** Returns a text that is another one when a stream was created anew, without what it held before. */
  identify(): Promise<string>;
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
};

/** `mayCreate`: false for an identity that only waits until others have created the streams. */
export function openStreams(link: Link, log: BusLog, closing: AbortSignal, mayCreate: boolean): Streams {
  let replicas: number | undefined;
  let isWanted = false;
  let running: Promise<void> | undefined;

  const untilDone = async (): Promise<void> => {
    while (!closing.aborted) {
      if (!(await link.up(1_000))) continue;
      try {
        return await makeStreams(await manager(link));
      } catch (err) {
        log.warn({ err }, 'streams are not ready');
        await pause(between(200, 500), closing);
      }
    }
  };
  const makeStreams = async (jsm: JetStreamManager): Promise<void> => {
    if (mayCreate) return createStreams(jsm, replicas);
    if (!(await allExist(jsm))) throw new Error('the streams have not been created yet');
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
        await makeStreams(jsm);
        await createConsumer(jsm, c);
      });
    },
    exist: async () => allExist(await manager(link)),
    async identify() {
      const jsm = await manager(link);
      const infos = await Promise.all(definitions().map(({ name }) => jsm.streams.info(name)));
      return infos.map(({ created }) => created).join(' ');
    },
    published: async () => lastSequences(await manager(link)),
    lags: async (consumers) => measureLags(await manager(link), consumers),
    arePast: async (consumers, published) => arePast(await manager(link), consumers, published),
  };
}

type StreamDefinition = Partial<StreamConfig> & { readonly name: StreamName };

/**
 * The streams as they must be, except for their copies; subjects of requests (`rpc.>`) belong to neither of
 * them.
 */
function definitions(): StreamDefinition[] {
  const common = { storage: StorageType.File, duplicate_window: nanos(2 * 60 * 1_000) };
  return [
    { ...common, name: 'COMMANDS', subjects: ['cmd.>'], retention: RetentionPolicy.Workqueue },
    {
      ...common,
      name: 'EVENTS',
      subjects: ['evt.>'],
      retention: RetentionPolicy.Limits,
      max_age: nanos(EVENTS_DAYS * DAY_MS),
    },
  ];
}

async function createStreams(jsm: JetStreamManager, replicas: number | undefined): Promise<void> {
  for (const stream of definitions()) {
    try {
      await jsm.streams.add({ ...stream, num_replicas: replicas ?? 1 });
    } catch (e) {
      if (!hasCode(e, STREAM_NAME_IN_USE)) throw e;
      const { config } = await jsm.streams.info(stream.name);
      await jsm.streams.update(stream.name, computeStreamChanges(stream, config, replicas));
    }
  }
}

/**
 * Returns the fields of an update of an existing stream. A service that starts does not know the cluster:
 * without a configured number, a stream keeps its copies.
 */
export function computeStreamChanges(
  { name: _same, retention: _fixed, storage: _onCreation, ...changeable }: StreamDefinition,
  existing: Pick<StreamConfig, 'num_replicas'>,
  replicas: number | undefined,
): Partial<StreamConfig> {
  return { ...changeable, num_replicas: replicas ?? existing.num_replicas };
}

async function allExist(jsm: JetStreamManager): Promise<boolean> {
  const looked = await Promise.all(definitions().map(({ name }) => isThere(jsm, name)));
  return looked.every(Boolean);
}

function isThere(jsm: JetStreamManager, name: StreamName): Promise<boolean> {
  return jsm.streams.info(name).then(
    () => true,
    (e: unknown) => {
      if (isMissingStream(e)) return false;
      throw e;
    },
  );
}

/** The request's subject names the one filter, and the server checks the permission for it. */
async function createConsumer(jsm: JetStreamManager, c: DurableConsumer): Promise<void> {
  const config = {
    durable_name: c.durable,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    filter_subject: coverSubjects(c.filters),
    ack_wait: nanos(c.ackWaitMs),
    max_ack_pending: c.maxAckPending,
    // The bus counts deliveries itself, and keeps the message that it gives up.
    max_deliver: -1,
  };
  try {
    await jsm.consumers.add(c.stream, config);
  } catch (e) {
    if (!hasCode(e, CONSUMER_EXISTS)) throw e;
    await jsm.consumers.add(c.stream, config, UPDATE);
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
