import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** The service as a process of its own. */
export type EdgeProcess = {
  /** Where it listens; rejects when it ends before it does. */
  readonly port: Promise<number>;
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  /** Everything it has written so far. */
  output(): string;
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: string | null }>;
};

/** Starts it with this environment and nothing of ours. */
export function startProcess(env: Readonly<Record<string, string>>): EdgeProcess {
  const child = spawn(process.execPath, ['--no-warnings', main], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  const lines: string[] = [];
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as string | null,
  }));
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
  const port = new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      if (line.includes('listening for HTTP')) resolve((JSON.parse(line) as { port: number }).port);
    });
    void ended.then((how) => reject(new Error(`ended: ${JSON.stringify(how)} ${lines.join('\n')}`)));
  });
  // Who only waits for the end need not ask for the port.
  port.catch(() => undefined);
  return {
    port,
    ended,
    output: () => lines.join('\n'),
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}
