import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { childEnv, programFile } from '@gp/testing';
import { encryptionKey } from './world.ts';

const main = new URL('../../src/main.ts', import.meta.url).pathname;

/** The service as a process of its own. */
export type Dispatching = {
  readonly pid: number;
  readonly lines: Record<string, unknown>[];
  /** Resolves with the first line, past or future, of this message and these fields; rejects when the process ends without it. */
  says(msg: string, fields?: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  signal(signal: NodeJS.Signals): void;
  end(): Promise<void>;
};

export function startDispatcher(env: Record<string, string>): Dispatching {
  const child = spawn(process.execPath, [programFile(main)], {
    env: childEnv({
      METRICS_PORT: '0',
      ENCRYPTION_KEY: encryptionKey,
      ALLOW_LOOPBACK_WEBHOOKS: '1',
      POLL_INTERVAL_MS: '20',
      ...env,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: Record<string, unknown>[] = [];
  const watchers = new Set<() => void>();
  let hasEnded = false;
  const look = (): void => [...watchers].forEach((watcher) => watcher());
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (text) => {
      lines.push(text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { msg: text });
      look();
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => {
    hasEnded = true;
    look();
    return { code: code as number | null, signal: signal as NodeJS.Signals | null };
  });
  return {
    pid: child.pid ?? 0,
    lines,
    ended,
    says: (msg, fields = {}) =>
      new Promise((resolve, reject) => {
        const wanted = Object.entries({ msg, ...fields });
        const watcher = (): void => {
          const line = lines.find((each) => wanted.every(([name, value]) => each[name] === value));
          if (line === undefined && !hasEnded) return;
          watchers.delete(watcher);
          if (line) resolve(line);
          else reject(new Error(`ended without saying "${msg}": ${JSON.stringify(lines.slice(-5))}`));
        };
        watchers.add(watcher);
        watcher();
      }),
    signal: (signal) => void child.kill(signal),
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
