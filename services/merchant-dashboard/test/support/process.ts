import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pepper } from './dashboard.ts';

const fileOf = (name: string) => fileURLToPath(new URL(`../../src/${name}`, import.meta.url));

export type End = { readonly code: number | null; readonly signal: string | null };

/** The settings both the service and the command line need. */
export const settings = (o: { database: string; nats: string }) => ({
  DATABASE_URL: o.database,
  NATS_URL: o.nats,
  API_KEY_PEPPER: pepper.toString('base64'),
});

/** Runs a source file as a process with this environment and nothing of ours. */
function run(name: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['--no-warnings', fileOf(name), ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  const ended = new Promise<End>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  return { child, ended };
}

/** Starts the service; `port` rejects when it ends before it listens. */
export function startService(env: Readonly<Record<string, string>>) {
  const { child, ended } = run('main.ts', [], { PORT: '0', METRICS_PORT: '0', ...env });
  const lines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
  const port = new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      if (line.includes('listening for HTTP')) resolve((JSON.parse(line) as { port: number }).port);
    });
    void ended.then((how) => reject(new Error(`ended: ${JSON.stringify(how)} ${lines.join('\n')}`)));
  });
  port.catch(() => undefined);
  return {
    port,
    ended,
    output: () => lines.join('\n'),
    stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

export type Service = ReturnType<typeof startService>;

/** Runs one command of the command line to its end. */
export async function runCli(args: readonly string[], env: Readonly<Record<string, string>>, input = '') {
  const { child, ended } = run('cli.ts', args, env);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  // A command that reads nothing may be gone before we have written.
  child.stdin.on('error', () => undefined).end(input);
  const { code } = await ended;
  return { code, out, err, answer: () => JSON.parse(out) as Record<string, unknown> };
}
