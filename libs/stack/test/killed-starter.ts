import { spawn } from 'node:child_process';
import { once } from 'node:events';

const servers = new URL('../src/servers/', import.meta.url);

/**
 * Lets another process start a server and kills that process with signal 9 as soon as the server is up.
 * Resolves with the id the server had.
 */
export async function killedStarter(start: 'startPostgres' | 'startNats', options: object): Promise<number> {
  const file = start === 'startPostgres' ? 'postgres.ts' : 'nats.ts';
  const script = `
    const { ${start} } = await import(${JSON.stringify(new URL(file, servers).href)});
    const server = await ${start}(${JSON.stringify(options)});
    process.stdout.write(String(server.pid), () => process.kill(process.pid, 'SIGKILL'));`;
  const starter = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let pid = '';
  starter.stdout.on('data', (chunk: Buffer) => (pid += chunk.toString()));
  const [, signal] = (await once(starter, 'close')) as [number | null, NodeJS.Signals | null];
  if (signal !== 'SIGKILL') throw new Error('The starter failed before it could be killed.');
  return Number(pid);
}
