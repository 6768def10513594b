import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** The address of a server that is as far away as said. */
export type FarServer = AsyncDisposable & { readonly url: string };

/** Opens a port through which a server answers `roundTripMs` later; half of it passes each way. */
export async function openFarServer(url: string, roundTripMs: number): Promise<FarServer> {
  const far = new URL(url);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket.setNoDelay());
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    const there = connect(Number(far.port), far.hostname);
    for (const socket of [near, there]) keep(socket);
    pass(near, there, roundTripMs / 2);
    pass(there, near, roundTripMs / 2);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(address.port) }).href,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Timers of one length end in the order in which they began, and so do the pieces. */
function pass(from: Socket, to: Socket, afterMs: number): void {
  from.on('data', (piece) => void setTimeout(() => void to.write(piece), afterMs));
  from.on('close', () => void setTimeout(() => void to.destroy(), afterMs));
}
