import { rm } from 'node:fs/promises';
import {
  startNats,
  startPostgres,
  type EmbeddedServer,
  type NatsOptions,
  type PostgresOptions,
} from '@gp/stack';
import { createDataFolder } from './data-folder.ts';
import { freePort } from './free-port.ts';

/** A server for one test file alone, which can therefore be stopped and started again. */
export type OwnServer = {
  readonly url: string;
  /** Stops it cleanly; its data stays. */
  down(): Promise<void>;
  /** Stops it as a power cut would; its data stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the same data. */
  up(): Promise<void>;
  /** Stops it for good and removes its data. */
  stop(): Promise<void>;
};

/** Settings that trade durability, which a test never needs, for speed. */
export const testSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  max_wal_size: '512MB',
} as const;

/** Starts a NATS server with JetStream for this test file alone; it takes some 50 ms. Without users it admits everybody. */
export function testNats(o: Pick<NatsOptions, 'users' | 'tls'> = {}): Promise<OwnServer> {
  return ownServer((dataDir, port) => startNats({ ...o, dataDir, port }));
}

/** Starts a Postgres for this test file alone, for tests that stop it; it takes some 700 ms. */
export function ownPostgres(o: Pick<PostgresOptions, 'tls'> = {}): Promise<OwnServer> {
  return ownServer((dataDir, port) => startPostgres({ dataDir, port, settings: testSettings, ...o }));
}

async function ownServer(
  start: (dataDir: string, port: number) => Promise<EmbeddedServer>,
): Promise<OwnServer> {
  const dataDir = await createDataFolder();
  let server = await onSomePort((port) => start(dataDir, port));
  return {
    url: server.url,
    down: () => server.stop(),
    kill: () => server.kill(),
    async up() {
      server = await start(dataDir, server.port);
    },
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Another process may take a port between our check and the server's start: then a second one is tried. */
export async function onSomePort(start: (port: number) => Promise<EmbeddedServer>): Promise<EmbeddedServer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await freePort());
    } catch (cause) {
      if (attempt === 5 || !/in use/i.test(String(cause))) throw cause;
    }
  }
}
