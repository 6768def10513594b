import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Rejects with a sentence for humans when something already listens on this loopback port. */
export function assertPortFree(port: number, purpose: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'EADDRINUSE' ? 'is already in use' : `cannot be used (${cause.message})`;
      reject(new Error(`Port ${port} on 127.0.0.1, wanted for ${purpose}, ${reason}.`, { cause }));
    });
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      probe.close(() => resolve());
    });
  });
}

/** Tells whether nothing listens on any of these loopback ports. */
export async function areFree(ports: readonly number[]): Promise<boolean> {
  const probes = await Promise.allSettled(ports.map((port) => assertPortFree(port, 'a probe')));
  return probes.every(({ status }) => status === 'fulfilled');
}

const POLL_MS = 250;

/** Like assertPortFree, with so much patience for a process that is ending. */
export async function awaitPortFree(port: number, purpose: string, withinMs = 10_000): Promise<void> {
  for (const giveUpAt = Date.now() + withinMs; ; await delay(POLL_MS)) {
    const isLast = Date.now() >= giveUpAt;
    try {
      return await assertPortFree(port, purpose);
    } catch (error) {
      if (isLast) throw error;
    }
  }
}
