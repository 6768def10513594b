import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { childEnv } from '@gp/testing';

export type Line = { readonly msg: string } & Readonly<Record<string, unknown>>;

/** A fixture in its own process, observed from outside as an operator does. */
export type Child = {
  readonly pid: number;
  readonly lines: readonly Line[];
  /** Resolves with the first matching line, past or future; rejects when the process ends without one. */
  line(fits: (line: Line) => boolean): Promise<Line>;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>;
  signal(signal: NodeJS.Signals): void;
  /** Stops reading its lines. */
  ignore(): void;
};

const started = new Set<Child>();

/** Starts `fixtures/<name>.ts` with this environment and nothing of ours in it. */
export function start(name: string, env: Readonly<Record<string, string>>): Child {
  const file = fileURLToPath(new URL(`./fixtures/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [file], { env: childEnv(env) });
  const lines: Line[] = [];
  const watchers = new Set<() => void>();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  createInterface({ input: child.stdout }).on('line', (text) => {
    lines.push(JSON.parse(text) as Line);
    for (const look of [...watchers]) look();
  });
  let hasEnded = false;
  const ended = once(child, 'close').then(([code, signal]) => {
    hasEnded = true;
    for (const look of [...watchers]) look();
    return { code: code as number | null, signal: signal as NodeJS.Signals | null, stderr };
  });
  const running: Child = {
    pid: child.pid ?? 0,
    lines,
    ended,
    line: (fits) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find(fits);
          if (found === undefined && !hasEnded) return;
          watchers.delete(look);
          if (found !== undefined) resolve(found);
          else reject(new Error(`${name} ended without that line: ${JSON.stringify(lines)} ${stderr}`));
        };
        watchers.add(look);
        look();
      }),
    signal: (signal) => void child.kill(signal),
    ignore: () => void child.stdout.destroy(),
  };
  started.add(running);
  void ended.then(() => started.delete(running));
  return running;
}

/** Kills what a test left running, and waits until it is gone. */
export async function endAll(): Promise<void> {
  for (const child of started) child.signal('SIGKILL');
  await Promise.all([...started].map((child) => child.ended));
}

export type Answer = { readonly status: number; readonly text: string };

/** Sends one GET on its own connection; rejects when nothing listens. */
export function get(port: number, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject).end();
  });
}

/** Returns the port in the line with this message. */
export async function readPort(child: Child, msg: string): Promise<number> {
  const { port } = await child.line((line) => line.msg === msg);
  return Number(port);
}
