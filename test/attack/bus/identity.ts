import { createIdentity } from '@gp/bus';
import { busPermissions, listNatsUsers } from '@gp/stack';
import { testNats, type OwnServer } from '@gp/testing';
import {
  connect,
  errors,
  nkeyAuthenticator,
  type ConnectionOptions,
  type NatsConnection,
  type PublishOptions,
} from '@nats-io/transport-node';

/** A real server that knows every identity of the platform, with the permissions that are checked in. */
export async function openGuardedNats(): Promise<{ nats: OwnServer; seeds: Record<string, string> }> {
  const seeds = Object.fromEntries(Object.keys(busPermissions).map((name) => [name, createIdentity().seed]));
  return { nats: await testNats({ users: listNatsUsers(seeds) }), seeds };
}

/** A process that holds a service's seed and runs somebody else's program. */
export type Intruder = {
  readonly nc: NatsConnection;
  /** Returns whether the server refused it. */
  publishes(subject: string, body?: string, o?: PublishOptions): Promise<boolean>;
  subscribes(subject: string): Promise<boolean>;
};

/**
 * Connects, and tries again after a time-out. The server closes a connection that has not authenticated within two seconds,
 * which happens on a busy machine; the client does not notice and waits for its whole time-out.
 */
async function dial(options: ConnectionOptions, tries = 10): Promise<NatsConnection> {
  return connect(options).catch((error: unknown) => {
    if (tries > 1 && error instanceof errors.TimeoutError) return dial(options, tries - 1);
    throw error;
  });
}

/** Connects with the plain client of NATS, which checks nothing by itself. */
export async function openIntruder(url: string, name: string, seed: string): Promise<Intruder> {
  const nc = await dial({
    servers: url,
    name,
    inboxPrefix: `_INBOX.${name}`,
    authenticator: nkeyAuthenticator(new TextEncoder().encode(seed)),
    maxReconnectAttempts: 0,
    timeout: 5_000,
  });
  const refused = new Set<string>();
  void (async () => {
    for await (const status of nc.status())
      if (status.type === 'error') refused.add(/"([^"]+)"/.exec(status.error.message)?.[1] ?? '');
  })();
  const wasRefused = async (subject: string): Promise<boolean> => {
    await nc.flush();
    await new Promise(setImmediate);
    return refused.delete(subject);
  };
  return {
    nc,
    publishes(subject, body = '{}', o = {}) {
      nc.publish(subject, body, o);
      return wasRefused(subject);
    },
    subscribes(subject) {
      nc.subscribe(subject, { callback: () => undefined });
      return wasRefused(subject);
    },
  };
}
