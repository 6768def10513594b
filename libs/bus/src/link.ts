import { connect, errors, type NatsConnection } from '@gp/bundled/nats';
import { INBOXES } from './access.ts';
import { authenticate } from './identity.ts';
import type { BusLog } from './log.ts';
import { atMost, between, pause } from './pause.ts';

/**
 * One connection that is retried for ever. The NATS client reconnects by itself once it has connected and keeps
 * its subscriptions; the link adds what it lacks: a first connection made in the background, a check for "are we
 * connected now", and a fresh client should one ever close on its own.
 */
export type Link = {
  /** The client while it is connected; undefined otherwise, so nothing is buffered for a dead server. */
  live(): NatsConnection | undefined;
  /** Runs `subscribe` with every client object, now and later; its subscription survives reconnects. */
  attach(subscribe: (nc: NatsConnection) => void): () => void;
  /** Calls `changed` at every change between connected and not. */
  watch(changed: (isUp: boolean) => void): () => void;
  /** True as soon as connected, false when that took longer than `withinMs` or the link closes. */
  up(withinMs: number): Promise<boolean>;
  close(): Promise<void>;
};

const HANDSHAKE_MS = 2_000;
/** Half-open connections (a pulled cable, a lost machine) are noticed after two unanswered pings: 4–6 s. */
const PING_MS = 2_000;
const DRAIN_MS = 5_000;

export type LinkOptions = {
  servers: string;
  name: string;
  inboxPrefix: string;
  nkeySeed?: string | undefined;
  caFile?: string | undefined;
};

export function openLink(o: LinkOptions & { log: BusLog }): Link {
  const closing = new AbortController();
  const attached = new Set<(nc: NatsConnection) => void>();
  const watchers = new Set<(isUp: boolean) => void>();
  let client: NatsConnection | undefined;
  let isUp = false;

  const setUp = (next: boolean): void => {
    if (isUp === next) return;
    isUp = next;
    if (!closing.signal.aborted) o.log.warn({ connected: next }, next ? 'NATS connected' : 'NATS lost');
    for (const changed of watchers) changed(next);
  };

  const keepConnected = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const next = await dial(o).catch(() => undefined);
      if (!next || closing.signal.aborted) {
        await next?.close();
        await pause(between(200, 500), closing.signal);
        continue;
      }
      client = next;
      for (const subscribe of attached) subscribe(next);
      setUp(true);
      await follow(next, setUp, o.log);
      setUp(false);
    }
  };
  const running = keepConnected();

  return {
    live: () => (isUp && client && !client.isClosed() && !client.isDraining() ? client : undefined),
    attach(subscribe) {
      attached.add(subscribe);
      if (client && !client.isClosed()) subscribe(client);
      return () => attached.delete(subscribe);
    },
    watch(changed) {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    async up(withinMs) {
      if (isUp || closing.signal.aborted) return isUp;
      const seen = new AbortController();
      const changed = (): void => seen.abort();
      watchers.add(changed);
      await pause(withinMs, AbortSignal.any([seen.signal, closing.signal]));
      watchers.delete(changed);
      return isUp;
    },
    async close() {
      closing.abort();
      if (client && isUp) await atMost(DRAIN_MS, client.drain());
      await client?.close().catch(() => undefined);
      await running;
    },
  };
}

function dial(o: LinkOptions): Promise<NatsConnection> {
  const servers = o.servers.split(',');
  return connect({
    servers,
    name: o.name,
    inboxPrefix: o.inboxPrefix,
    ...(o.nkeySeed !== undefined && { authenticator: authenticate(o.nkeySeed) }),
    // Without this the client would speak in the clear to a server that offers no TLS.
    ...(isSecure(servers) && { tls: o.caFile === undefined ? {} : { caFile: o.caFile } }),
    timeout: HANDSHAKE_MS,
    pingInterval: PING_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 200,
    reconnectJitter: 300,
    // A server that has other credentials for a moment, after a restore, must not end the service.
    ignoreAuthErrorAbort: true,
    noAsyncTraces: true,
  });
}

/** Returns whether any of the servers must be reached over TLS; then all are. */
function isSecure(servers: readonly string[]): boolean {
  return servers.some((server) => server.startsWith('tls://'));
}

/** Reports the client's connection changes until it is closed. */
async function follow(nc: NatsConnection, setUp: (isUp: boolean) => void, log: BusLog): Promise<void> {
  for await (const status of nc.status()) {
    if (status.type === 'disconnect') setUp(false);
    if (status.type === 'reconnect') setUp(true);
    if (status.type === 'error') reportFault(status.error, log);
  }
}

/**
 * Logs an error that a NATS server reports. A callee may reply to an inbox for a limited time and on the connection that got the
 * request; a reply after that is expected now and then, and its caller has stopped waiting.
 */
function reportFault(err: Error, log: BusLog): void {
  const caller = findCallerOfLateReply(err);
  if (caller === undefined) log.error({ err }, 'NATS server error');
  else log.warn({ caller }, 'NATS dropped a reply that came after its caller could be answered');
}

/** Returns the identity whose inbox a refused reply was for; undefined for every other error. The inbox itself is a secret. */
function findCallerOfLateReply(err: Error): string | undefined {
  const isReply =
    err instanceof errors.PermissionViolationError &&
    err.operation === 'publish' &&
    err.subject.startsWith(INBOXES);
  return isReply ? (err.subject.slice(INBOXES.length).split('.')[0] ?? '') : undefined;
}
