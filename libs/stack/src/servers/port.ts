import { createServer } from 'node:net';

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
