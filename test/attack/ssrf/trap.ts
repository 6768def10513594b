import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';

/** A listener on every address of this machine; no request may reach it. */
export async function openTrap() {
  const reached: string[] = [];
  const server = createServer((socket) => {
    reached.push(`${socket.remoteAddress} at ${socket.localAddress}`);
    socket.destroy();
  });
  server.listen(0, '::');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** Every connection. */
    reached,
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}
export type Trap = Awaited<ReturnType<typeof openTrap>>;

/** Networks that are not public; an address of another kind may be reached from anywhere. */
const PRIVATE = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|f[cd])/;

/** The private addresses of this machine. */
export function listOwnAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address)
    .filter((address) => PRIVATE.test(address));
}
