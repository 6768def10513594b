import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A loopback port nobody listens on at this moment. It lies below the range from which the system takes the
 * ports of outgoing connections: one of those, made by any process in between, would be in the way.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
