import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort } from '@gp/testing';
import pg from 'pg';

/** A connection of the pooler to the server, which it lends to the clients of this user. */
type LentConnection = { readonly user: string; readonly remote_pid: number };

export type Pooler = {
  /** Its address, with the superuser of the server. */
  readonly url: string;
  /** The connections that it has to the server now. */
  listConnections(): Promise<readonly LentConnection[]>;
  /** Ends it as `kill -9` does, and starts it again on the same port. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Starts PgBouncer in transaction mode in front of a Postgres on this machine, with at most `size` connections for each user. It
 * asks the server for the users' passwords, so that it knows roles that are made later, and has the settings that
 * docs/sizing.md names, no more.
 */
export async function openPooler(program: string, server: string, size: number): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), 'gp-pooler-'));
  const port = await freePort();
  const url = Object.assign(new URL(server), { port: String(port) });
  const consoleUrl = Object.assign(new URL(url), { pathname: '/pgbouncer' }).href;
  const settings = join(folder, 'pgbouncer.ini');
  const passwords = join(folder, 'users.txt');
  await writeFile(settings, describePooler({ server: new URL(server), port, size, passwords }));
  await writeFile(passwords, `"${url.username}" "${url.password}"\n`);
  // As root it becomes `nobody`, who reads these files.
  await chmod(folder, 0o755);
  let running = await start(program, settings);

  const ask = async <Row extends pg.QueryResultRow>(question: string): Promise<Row[]> => {
    const console = new pg.Client({ connectionString: consoleUrl });
    console.on('error', () => undefined);
    await console.connect();
    try {
      return (await console.query<Row>(question)).rows;
    } finally {
      await console.end();
    }
  };
  await eventually(() => ask('show version').catch(() => undefined));
  return {
    url: url.href,
    listConnections: async () =>
      (await ask<LentConnection>('show servers')).map(({ user, remote_pid }) => ({ user, remote_pid })),
    async restart() {
      await end(running, 'SIGKILL');
      running = await start(program, settings);
    },
    async close() {
      await end(running, 'SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Described = {
  readonly server: URL;
  readonly port: number;
  readonly size: number;
  readonly passwords: string;
};

const describePooler = ({ server, port, size, passwords }: Described): string => `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
pool_mode = transaction
max_prepared_statements = 200
default_pool_size = ${size}
max_client_conn = 1000
auth_type = scram-sha-256
auth_file = ${passwords}
auth_user = ${server.username}
auth_query = select usename, passwd from pg_shadow where usename = $1
admin_users = ${server.username}
${process.getuid?.() === 0 ? 'user = nobody' : ''}
`;

async function start(program: string, settings: string): Promise<ChildProcess> {
  const child = spawn(program, ['-q', settings], { stdio: 'ignore' });
  await once(child, 'spawn');
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
