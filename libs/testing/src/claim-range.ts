import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { portsFrom } from '@gp/stack';

/** A port of a range that no stack uses: the process that listens on it has claimed the range. */
const CLAIM = 99;

/**
 * Claims a range of free ports for a stack, until `claim` is closed; no other stack that opens at the same moment
 * gets it, here or in another process. All its ports lie below those of the tests' single servers.
 */
export async function claimRange(): Promise<{ base: number; claim: Server }> {
  for (let tries = 0; tries < 100; tries++) {
    const base = randomInt(120, 177) * 100;
    const claim = await tryListen(base + CLAIM);
    if (!claim) continue;
    const ports = portsFrom({ GP_PORT_BASE: String(base) });
    const all = Object.values(ports).filter((port) => typeof port === 'number');
    const metrics = Array.from({ length: 16 }, (_, index) => ports.metrics(index));
    const replicas = Array.from({ length: 18 }, (_, index) => Object.values(ports.replica(index))).flat();
    const isAllFree = (await Promise.all([...all, ...metrics, ...replicas].map(isFree))).every(Boolean);
    if (isAllFree) return { base, claim };
    claim.close();
  }
  throw new Error('no free range of ports found');
}

function tryListen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.unref();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

async function isFree(port: number): Promise<boolean> {
  const probe = await tryListen(port);
  if (!probe) return false;
  return new Promise((resolve) => probe.close(() => resolve(true)));
}
