import { chmod, mkdir, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { freePort } from '@gp/testing';
import pg from 'pg';
import { canReach } from '../src/servers/account.ts';
import { linkElsewhere } from '../src/servers/elsewhere.ts';
import { startPostgres, type EmbeddedServer, type PostgresOptions } from '../src/servers/postgres.ts';
import { killedStarter } from './killed-starter.ts';

let root: string;
let server: EmbeddedServer | undefined;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'group-payments-stack-'));
  await chmod(root, 0o755);
});

afterEach(async () => {
  await server?.stop();
  server = undefined;
  await rm(root, { recursive: true, force: true });
});

/** Does not wait for the disk by default: the operating system still has what a killed process wrote. */
const start = async (o: Partial<PostgresOptions> = {}): Promise<EmbeddedServer> => {
  server = await startPostgres({
    dataDir: join(root, 'data'),
    port: o.port ?? (await freePort()),
    superuserPassword: 's/e:c@ret',
    settings: { fsync: 'off' },
    ...o,
  });
  return server;
};

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

it('Postgres keeps what was committed when its process is killed', async () => {
  const first = await start();
  await query(first.url, 'create table kept as select 42 as answer');
  await first.kill();
  const second = await start();
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
});

it('Postgres keeps what was committed when it is stopped', async () => {
  const first = await start();
  await query(first.url, 'create table kept as select 42 as answer');
  await first.stop();
  expect(await first.exited).toEqual({ code: 0, signal: null });
  const second = await start();
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
});

it('Postgres acknowledges a commit only when it is on disk, unless a test asks otherwise', async () => {
  const { url } = await start({ settings: {} });
  expect(await query(url, 'show fsync')).toEqual([{ fsync: 'on' }]);
  expect(await query(url, 'show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
});

it('Postgres asks for the password', async () => {
  const { url } = await start();
  const wrong = new URL(url);
  wrong.password = 'guess';
  await expect(query(wrong.toString(), 'select 1')).rejects.toThrow(/password authentication failed/);
});

it('Postgres starts below a folder that only its owner may enter', async () => {
  const closed = join(root, 'closed');
  await mkdir(closed, { mode: 0o700 });
  const dataDir = join(closed, 'data');
  const first = await start({ dataDir });
  await query(first.url, 'create table kept as select 42 as answer');
  await first.stop();
  const second = await start({ dataDir });
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
});

it('the starter deletes data it had to put elsewhere once nothing links to it any more', async () => {
  const account = { name: 'somebody', uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const [gone, kept] = [join(root, 'gone'), join(root, 'kept')];
  await linkElsewhere(gone, account);
  const abandoned = await realpath(gone);
  await rm(gone);
  await linkElsewhere(kept, account);
  await linkElsewhere(join(root, 'another'), account);
  await expect(stat(abandoned)).rejects.toThrow(/ENOENT/);
  expect((await stat(kept)).isDirectory()).toBe(true);
});

it('Postgres is taken over from a starter that was killed alone', async () => {
  const port = await freePort();
  await killedStarter('startPostgres', { dataDir: join(root, 'data'), port, superuserPassword: 's/e:c@ret' });
  const second = await start({ port });
  expect(await query(second.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
});

it('Postgres starts in spite of a lock file whose process id now belongs to another program', async () => {
  const first = await start();
  await first.stop();
  const lock = join(await realpath(join(root, 'data')), 'cluster', 'postmaster.pid');
  await writeFile(lock, `${process.pid}\n`);
  const second = await start();
  expect(await query(second.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
});

it('Postgres refuses a folder that another living process serves', async () => {
  await start();
  const again = startPostgres({ dataDir: join(root, 'data'), port: await freePort() });
  await expect(again).rejects.toThrow(/already being run by process \d+/);
});

it('the starter names the Postgres port when it is taken', async () => {
  const { port } = await start();
  const other = startPostgres({ dataDir: join(root, 'other'), port });
  await expect(other).rejects.toThrow(`Port ${port} on 127.0.0.1, wanted for Postgres, is already in use.`);
});

it('the starter refuses a cluster of another major version and names both', async () => {
  const first = await start();
  await first.stop();
  await writeFile(join(await realpath(join(root, 'data')), 'cluster', 'PG_VERSION'), '9\n');
  await expect(start()).rejects.toThrow(/made by Postgres 9; the installed one is \d+/);
});

it('the starter recognises which folders another account can reach', async () => {
  const stranger = { name: 'stranger', uid: 54_321, gid: 54_321 };
  const closed = join(root, 'closed');
  await mkdir(closed, { mode: 0o700 });
  expect(await canReach(stranger, join(closed, 'data'))).toBe(false);
  expect(await canReach(stranger, '/etc/passwd')).toBe(true);
});
