import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { unprivilegedAccount, type Account } from './account.ts';
import { launch, type Exit, type ServerProcess } from './launch.ts';
import { noteOwner, takeOver } from './ownership.ts';
import { assertPortFree } from './port.ts';
import { findPostgres, type PostgresBinaries } from './postgres-binaries.ts';
import {
  ensureCluster,
  openHome,
  writeCertificate,
  type Certificate,
  type PostgresHome,
} from './postgres-data.ts';

export type PostgresOptions = {
  /** Folder for the cluster and its log; created when absent, reused when it holds a cluster. */
  readonly dataDir: string;
  readonly port: number;
  /** Used only when the cluster is created; `postgres` by default. */
  readonly superuserPassword?: string;
  /** Certificate with which the server speaks TLS, beside plain connections; none by default. */
  readonly tls?: Certificate;
  /** Server settings that override ours, e.g. `{ fsync: 'off' }` for tests. */
  readonly settings?: Readonly<Record<string, string | number>>;
};

/** A running server. `stop` ends it cleanly, `kill` as a power cut would; both resolve when it has ended. */
export type EmbeddedServer = {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** Lets our own process end although the server runs; it is then interrupted with us. */
  unref(): void;
  stop(): Promise<void>;
  kill(): Promise<void>;
};

const defaults = {
  max_connections: 200,
  shared_buffers: '256MB',
  // A checkpoint spreads its writes; a small WAL would force one every few seconds under load.
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  // Statistics for the planner are worth more here than the few percent they cost.
  track_io_timing: 'on',
  log_min_messages: 'warning',
  timezone: 'UTC',
} as const;

/**
 * Starts a real Postgres on 127.0.0.1 and resolves when it accepts connections; `url` is the superuser's.
 * Leftovers of a killed predecessor (a running server, a stale lock file) are cleared first. Rejects with a
 * sentence that names the cause: port in use, folder used by another living process, no programs found.
 */
export async function startPostgres(o: PostgresOptions): Promise<EmbeddedServer> {
  const account = await unprivilegedAccount();
  const binaries = await findPostgres(account);
  const home = await openHome(o.dataDir, account);
  const { pidFile, ownerFile, cluster } = home;
  await takeOver({ purpose: `Postgres in ${o.dataDir}`, pidFile, ownerFile, marker: cluster });
  await assertPortFree(o.port, 'Postgres');
  const superuserPassword = o.superuserPassword ?? 'postgres';
  const sync = o.settings?.['fsync'] !== 'off';
  await ensureCluster({ home, binaries, account, superuserPassword, sync });
  if (o.tls) await writeCertificate(home, o.tls, account);
  await noteOwner(ownerFile);
  const server = await startServing(home, binaries, account, o);

  return {
    url: `postgres://postgres:${encodeURIComponent(superuserPassword)}@127.0.0.1:${o.port}/postgres`,
    port: o.port,
    pid: server.pid,
    exited: server.exited,
    unref: server.unref,
    // Fast shutdown first: it ends sessions and writes a checkpoint. SIGQUIT skips the checkpoint.
    stop: () => server.end(['SIGINT', 'SIGQUIT', 'SIGKILL'], 15_000),
    kill: () => server.end(['SIGKILL'], 5_000),
  };
}

/**
 * After kill -9 of a server its backends live on for a moment and keep the shared memory: Postgres then refuses to
 * start. They end by themselves, so the start is repeated for half a minute.
 */
async function startServing(
  home: PostgresHome,
  binaries: PostgresBinaries,
  account: Account | undefined,
  o: PostgresOptions,
): Promise<ServerProcess> {
  const args = serverArguments(home, o);
  for (const deadline = Date.now() + 30_000; ; await delay(200)) {
    const server = await launch({ command: binaries.postgres, args, logFile: home.logFile, account });
    if (await becomesReady(home.pidFile, server)) return server;
    const log = await server.logTail();
    const passes = /pre-existing shared memory block|lock file .* already exists/.test(log);
    if (!passes || Date.now() > deadline) throw new Error(`Postgres did not start:\n${log}`);
  }
}

function serverArguments({ cluster, keyFile, certFile }: PostgresHome, o: PostgresOptions): string[] {
  const settings = {
    ...defaults,
    ...(o.tls && { ssl: 'on', ssl_key_file: keyFile, ssl_cert_file: certFile }),
    ...o.settings,
    port: o.port,
    listen_addresses: '127.0.0.1',
    // Sockets in the file system would need a path short enough and writable for the account.
    unix_socket_directories: '',
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])];
}

/** Reads the state the server writes into the eighth line of its lock file, as `pg_ctl` does. */
async function becomesReady(pidFile: string, server: ServerProcess): Promise<boolean> {
  const over = new AbortController();
  void server.exited.then(() => over.abort());
  while (!over.signal.aborted) {
    const lines = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
    if (Number(lines[0]) === server.pid && lines[7]?.trim() === 'ready') return true;
    await delay(20);
  }
  return false;
}
