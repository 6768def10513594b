import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { createDataFolder, freePort } from '@gp/testing';
import { findProgram } from './load/find-program.ts';

export type RedisServer = { readonly url: string; stop(): Promise<void> };

/**
 * What BullMQ's manual asks of a production server: nothing is evicted, and each write goes to a log that reaches the disk
 * within a second. A power cut may lose that second; Postgres and JetStream here lose less.
 */
const DURABLE = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'];

/** Starts the system's Redis on data of its own, and returns undefined where no package with it is installed. */
export async function startRedis(): Promise<RedisServer | undefined> {
  const program = await findProgram(['redis-server']);
  if (program === undefined) return undefined;
  const [folder, port] = [await createDataFolder(), await freePort()];
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const child = spawn(program, [...place, ...DURABLE], { stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = () => void child.kill();
  process.once('exit', kill);
  const ended = once(child, 'exit');
  const isReady = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('Ready to accept connections')) resolve();
    });
  });
  const failed = ended.then(([code]) => {
    throw new Error(`redis-server ended with ${String(code)} before it was ready`);
  });
  await Promise.race([isReady, failed]);
  failed.catch(() => undefined);
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      kill();
      await ended;
      process.off('exit', kill);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
