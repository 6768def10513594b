import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { StackFile } from '../support/stack.ts';
import { freePort } from '@gp/testing';
import { createPost } from './load/create-post.ts';
import { statementFile } from './load/create-statement.ts';
import { openSideDatabase } from './side-database.ts';

export type Peer = { readonly url: string; readonly pid: number; stop(): void };

/** The good monolith on a database of its own. */
export async function startMonolith(stack: StackFile): Promise<Peer> {
  const side = await openSideDatabase(stack, 'bench_bare');
  return startPeer('monolith', side.url);
}

/** Starts a program of `peers/` and waits until it listens and has made a group: a peer that refuses is beaten by anybody. */
export async function startPeer(
  name: string,
  databaseUrl: string,
  o: { readonly port?: number; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Peer> {
  const port = o.port ?? (await freePort());
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, `peers/${name}.ts`)], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      CREATE_STATEMENT: statementFile,
      ...o.env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.stdout) await once(child.stdout, 'data');
  const url = `http://127.0.0.1:${port}`;
  const { url: to, ...post } = createPost(url, 'x');
  const answer = await fetch(to, { method: 'POST', ...post });
  if (answer.status === 201) return { url, pid: child.pid ?? NaN, stop: () => void child.kill() };
  child.kill();
  throw new Error(`the ${name} answers ${answer.status}: ${await answer.text()}`);
}
