import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { findNats } from '@gp/stack';
import { eventually, freePort } from '@gp/testing';
import { root } from '../processes.ts';
import { BUNDLED } from './files.ts';

/** Two pings without an answer and the pause before the third, with room for a busy machine. */
const NOTICED_WITHIN_MS = 25_000;

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Starts a server with what the bundled configuration says of pings; it admits everybody. */
async function startServer(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'lost-client-'));
  const pings = readFileSync(join(root, BUNDLED), 'utf8')
    .split('\n')
    .filter((line) => /^ {2}"ping_/.test(line));
  const file = join(folder, 'nats.conf');
  const port = await freePort();
  await writeFile(file, `{\n"host": "127.0.0.1", "port": ${port},\n${pings.join('\n')}\n}\n`);
  const server = spawn(await findNats(), ['--config', file], { stdio: 'ignore' });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  closing.push(async () => {
    server.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  return port;
}

/** Connects a client that answers no ping, as one on a machine that is lost. */
async function connectSilently(port: number): Promise<Socket> {
  const socket = await eventually(
    () =>
      new Promise<Socket | undefined>((resolve) => {
        const one = connect({ host: '127.0.0.1', port }, () => resolve(one));
        one.once('error', () => resolve(undefined));
      }),
  );
  closing.push(() => void socket.destroy());
  socket.write('CONNECT {"verbose":false,"pedantic":false}\r\nPING\r\n');
  return socket;
}

it(
  'a server as we configure it on Kubernetes ends the connection of a client that answers no ping, so that calls go to other replicas',
  async () => {
    const socket = await connectSilently(await startServer());
    let said = '';
    socket.on('data', (data) => (said += data.toString()));
    const startedAt = performance.now();
    await new Promise((resolve) => socket.once('close', resolve));
    expect(said).toContain('Stale Connection');
    expect(performance.now() - startedAt).toBeLessThan(NOTICED_WITHIN_MS);
  },
  4 * NOTICED_WITHIN_MS,
);
