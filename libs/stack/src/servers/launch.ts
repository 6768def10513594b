import { spawn } from 'node:child_process';
import { open, readFile, stat } from 'node:fs/promises';
import { dyingWithUs } from '../dying-with-us.ts';
import type { Account } from './account.ts';
import { goneWithin } from './processes.ts';

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** A server process that we started and can end. */
export type ServerProcess = {
  readonly pid: number;
  /** Resolves, never rejects, once the process has ended for whatever reason. */
  readonly exited: Promise<Exit>;
  /** Sends each signal in turn, waiting `graceMs` after each, and resolves when the process has ended. */
  end(signals: readonly NodeJS.Signals[], graceMs: number): Promise<void>;
  /** Lets our own process end although this one runs. */
  readonly unref: () => void;
  /** Returns the last lines of its log since this start. */
  logTail(): Promise<string>;
};

/**
 * Starts a server with its output in `logFile`. Files rather than pipes, so that a busy parent can never block the
 * server's writes and the log outlives both. It is interrupted when we die, and gets no Ctrl-C that is meant for
 * us: we end it after the processes that use it.
 */
export async function launch(o: {
  command: string;
  args: readonly string[];
  logFile: string;
  account?: Account | undefined;
  env?: NodeJS.ProcessEnv;
}): Promise<ServerProcess> {
  const log = await open(o.logFile, 'a', 0o600);
  const logStart = (await log.stat()).size;
  const [command, args] = dyingWithUs('INT', o.command, o.args);
  const child = spawn(command, args, {
    cwd: '/',
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC', ...o.env },
    ...(o.account && { uid: o.account.uid, gid: o.account.gid }),
  });
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
  const started = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) => reject(new Error(`${o.command} could not be started.`, { cause })));
  });
  try {
    await started;
  } finally {
    await log.close();
  }

  return {
    pid: child.pid ?? 0,
    exited,
    unref: () => child.unref(),
    logTail: () => tail(o.logFile, logStart),
    async end(signals, graceMs) {
      for (const signal of signals) {
        if (child.exitCode !== null || child.signalCode !== null) break;
        child.kill(signal);
        if (await goneWithin(child.pid ?? 0, graceMs)) break;
      }
      await exited;
    },
  };
}

async function tail(file: string, from: number): Promise<string> {
  const { size } = await stat(file);
  if (size <= from) return '';
  return (await readFile(file)).subarray(from).toString('utf8').trim().split('\n').slice(-12).join('\n');
}
