import type { BlockList, Socket } from 'node:net';
import { buildConnector } from '@gp/bundled/undici';
import { blockList, isReachable, type AddressPolicy } from './address.ts';
import { AddressBlocked, type Resolve } from './resolve.ts';

/** How long the parts of making a connection took, ms; null where there was no such part. */
export type ConnectTimings = {
  readonly dnsMs: number;
  readonly connectMs: number;
  readonly tlsMs: number | null;
};

export type ConnectOptions = {
  readonly policy: AddressPolicy;
  readonly resolve: Resolve;
  readonly timeoutMs: number;
  /** Certificates to trust instead of the system's; for receivers of our own. */
  readonly ca?: string;
};

/** The times that were measured when a socket was made; read once by the request that waited for it. */
export const timingsOf = new WeakMap<Socket, ConnectTimings>();

/**
 * Makes connections that reach vetted addresses only: the name is resolved and vetted here, the socket gets the vetted
 * address and no name to look up again, Node's block list is checked on the way, and the socket's final address is
 * checked once more. TLS still proves the name.
 */
export function guardedConnector(o: ConnectOptions): buildConnector.connector {
  const options: buildConnector.BuildOptions & { blockList: BlockList } = {
    timeout: o.timeoutMs,
    allowH2: false,
    keepAlive: true,
    blockList: blockList(o.policy),
    ...(o.ca !== undefined && { ca: o.ca }),
  };
  const connect = buildConnector(options);
  return (target, callback) => {
    void open(o, connect, target).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error as Error, null),
    );
  };
}

async function open(
  o: ConnectOptions,
  connect: buildConnector.connector,
  target: buildConnector.Options,
): Promise<Socket> {
  const startedAt = performance.now();
  const deadline = startedAt + o.timeoutMs;
  const addresses = await o.resolve(target.hostname);
  const dnsMs = performance.now() - startedAt;
  let failure: unknown;
  for (const address of addresses) {
    const dialledAt = performance.now();
    if (failure !== undefined && dialledAt >= deadline) break;
    try {
      const { socket, connectedAt } = await dial(connect, target, address, o.policy);
      const tlsMs = target.protocol === 'https:' ? performance.now() - connectedAt : null;
      timingsOf.set(socket, { dnsMs, connectMs: connectedAt - dialledAt, tlsMs });
      return socket;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

type Dialled = { readonly socket: Socket; readonly connectedAt: number };

/**
 * TCP first, TLS over the socket that was checked: `tls.connect` on its own does not check the block list. No server name
 * is sent for an address, as the standard requires.
 */
async function dial(
  connect: buildConnector.connector,
  target: buildConnector.Options,
  address: string,
  policy: AddressPolicy,
): Promise<Dialled> {
  const isTls = target.protocol === 'https:';
  const port = target.port || (isTls ? '443' : '80');
  const socket = await connected(connect, { hostname: address, protocol: 'http:', port });
  const connectedAt = performance.now();
  assertReached(socket, address, policy);
  if (!isTls) return { socket, connectedAt };
  const servername = target.hostname === address ? {} : { servername: target.hostname };
  const { protocol, hostname } = target;
  const secured = await connected(connect, { protocol, hostname, port, ...servername, httpSocket: socket });
  return { socket: secured, connectedAt };
}

function connected(connect: buildConnector.connector, options: buildConnector.Options): Promise<Socket> {
  return new Promise((resolve, reject) => {
    connect(options, (error, socket) => {
      if (error) reject(error);
      else resolve(socket);
    });
  });
}

function assertReached(socket: Socket, address: string, policy: AddressPolicy): void {
  const reached = socket.remoteAddress;
  if (reached === address && isReachable(reached, policy)) return;
  socket.destroy();
  throw new AddressBlocked();
}
