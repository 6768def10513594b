import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { StackFile } from '../support/stack.ts';
import { freePort } from '@gp/testing';
import { createPost } from './load/create-post.ts';
import { statementFile } from './load/create-statement.ts';
import { openSideDatabase } from './side-database.ts';

export type Peer = { readonly url: string; readonly pid: number; stop(): void };

/** For a stack of what a measure opened. */
export const stopPeer = (peer: { stop(): void }): void => peer.stop();

/** The good monolith on a database of its own. */
export async function startMonolith(stack: StackFile): Promise<Peer> {
  const side = await openSideDatabase(stack, 'bench_bare');
  return startPeer('monolith', side.url);
}

/** Starts a program of `peers/` and waits until it listens and has made a group: a peer that refuses is beaten by anybody. */
export async function startPeer(
  name: string,
  databaseUrl: string,
  { env, ...o }: ProgramOptions = {},
): Promise<Peer> {
  const own = { DATABASE_URL: databaseUrl, CREATE_STATEMENT: statementFile, ...env };
  const peer = await startProgram(name, { ...o, env: own });
  const { url: to, ...post } = createPost(peer.url, 'x');
  const answer = await fetch(to, { method: 'POST', ...post });
  if (answer.status === 201) return peer;
  peer.stop();
  throw new Error(`the ${name} answers ${answer.status}: ${await answer.text()}`);
}

type ProgramOptions = { readonly port?: number; readonly env?: NodeJS.ProcessEnv };

/** Starts a program of `peers/`, on a free port unless one is given, and waits until it listens; throws when it ends before. */
export async function startProgram(name: string, o: ProgramOptions): Promise<Peer> {
  const port = o.port ?? (await freePort());
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, `peers/${name}.ts`)], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', PORT: String(port), ...o.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = () => void child.kill();
  // A measure that fails before it can stop what it started ends the run, and the program with it.
  process.once('exit', stop);
  const ended = once(child, 'exit').then(([code]) => {
    process.off('exit', stop);
    throw new Error(`the ${name} ended with ${String(code)} before it listened`);
  });
  if (child.stdout) await Promise.race([once(child.stdout, 'data'), ended]);
  ended.catch(() => undefined);
  // Lines that nobody reads would fill the pipe and stop the program.
  child.stdout?.resume();
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? NaN, stop };
}
