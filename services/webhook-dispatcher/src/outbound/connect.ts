import type { BlockList, Socket } from 'node:net';
import { buildConnector } from 'undici';
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

/** What was measured when a socket was made; read once by the request that waited for it. */
export const timingsOf = new WeakMap<Socket, ConnectTimings>();

/**
 * Makes connections that cannot be led astray: the name is resolved and vetted here, the socket is given the vetted
 * address and no name to look up again, Node's block list is asked on the way, and the address the socket then has
 * is checked once more. TLS still proves the name.
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
      (error: unknown) => callback(error instanceof Error ? error : new Error('no connection'), null),
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
      const { socket, connectedAt } = await dial(connect, target, address);
      assertReached(socket, address, o.policy);
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

function dial(
  connect: buildConnector.connector,
  target: buildConnector.Options,
  address: string,
): Promise<Dialled> {
  return new Promise((resolve, reject) => {
    let connectedAt = NaN;
    const isTls = target.protocol === 'https:';
    const servername = isTls && target.hostname !== address ? { servername: target.hostname } : {};
    const dialled: unknown = connect({ ...target, ...servername, hostname: address }, (error, socket) => {
      if (error) reject(error);
      else resolve({ socket, connectedAt: isTls ? connectedAt : performance.now() });
    });
    // The connector gives the socket back at once; over TLS the moment of the TCP connection passes before its call.
    (dialled as Socket).once('connect', () => (connectedAt = performance.now()));
  });
}

function assertReached(socket: Socket, address: string, policy: AddressPolicy): void {
  const reached = socket.remoteAddress;
  if (reached === address && isReachable(reached, policy)) return;
  socket.destroy();
  throw new AddressBlocked();
}
