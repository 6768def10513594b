import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { launch, type ServerProcess } from './launch.ts';
import { findNats } from './nats-binary.ts';
import { noteOwner, takeOver } from './ownership.ts';
import { assertPortFree } from './port.ts';
import type { NatsUser } from '../identities.ts';
import type { EmbeddedServer } from './postgres.ts';

export type NatsOptions = {
  /** Folder for the streams and the log; created when absent, existing streams are kept. */
  readonly dataDir: string;
  readonly port: number;
  /** Port of the server's HTTP monitoring; without it there is none. */
  readonly monitorPort?: number;
  /** Who may connect, and for what; without users everybody may do everything. */
  readonly users?: readonly NatsUser[];
  /** Files in PEM with which the server speaks TLS, and with no client that does not. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
};

/**
 * Starts a real NATS server with JetStream on 127.0.0.1 and resolves when it accepts clients. Leftovers of a
 * killed predecessor are cleared first. Rejects with a sentence that names the cause.
 */
export async function startNats(o: NatsOptions): Promise<EmbeddedServer> {
  const command = await findNats();
  await mkdir(o.dataDir, { recursive: true });
  const root = await realpath(o.dataDir);
  const pidFile = join(root, 'nats.pid');
  const ownerFile = join(root, 'owner');
  await takeOver({ purpose: `NATS in ${o.dataDir}`, pidFile, ownerFile, marker: pidFile });
  await assertPortFree(o.port, 'NATS');
  if (o.monitorPort !== undefined) await assertPortFree(o.monitorPort, 'NATS monitoring');
  await noteOwner(ownerFile);

  const args = ['-a', '127.0.0.1', '-p', String(o.port), '-js', '-sd', join(root, 'store'), '-P', pidFile];
  if (o.monitorPort !== undefined) args.push('-m', String(o.monitorPort));
  args.push('-c', await writeConfiguration(root, o));
  const server = await launch({ command, args, logFile: join(root, 'nats.log') });
  await becomesReady(o.port, server);

  return {
    url: `${o.tls ? 'tls' : 'nats'}://127.0.0.1:${o.port}`,
    port: o.port,
    pid: server.pid,
    exited: server.exited,
    unref: server.unref,
    stop: () => server.end(['SIGINT', 'SIGKILL'], 10_000),
    kill: () => server.end(['SIGKILL'], 5_000),
  };
}

/** Writes what the command line has no options for; JSON is a form of the server's own syntax. */
async function writeConfiguration(root: string, { users, tls }: NatsOptions): Promise<string> {
  const file = join(root, 'nats.conf');
  const configuration = {
    ...(users && { authorization: { users } }),
    ...(tls && { tls: { cert_file: tls.certFile, key_file: tls.keyFile } }),
  };
  await rm(file, { force: true });
  await writeFile(file, JSON.stringify(configuration, null, 2), { mode: 0o600 });
  return file;
}

async function becomesReady(port: number, server: ServerProcess): Promise<void> {
  const over = new AbortController();
  void server.exited.then(() => over.abort());
  while (!(await greets(port))) {
    if (over.signal.aborted) throw new Error(`NATS did not start:\n${await server.logTail()}`);
    await delay(10);
  }
}

/** A NATS server sends first: its INFO line shows that it is up and that JetStream is on. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.setTimeout(1_000, () => socket.destroy());
    socket.once('data', (chunk) => {
      resolve(chunk.toString('latin1').includes('"jetstream":true'));
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}
