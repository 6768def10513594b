import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { eventually, ownPostgres, type OwnServer } from '@gp/testing';
import { isUnavailable, openPg, unprepared, type Db } from '../src/index.ts';
import { rejection } from './scratch.ts';

let server: OwnServer;
const opened: Db[] = [];
const open = async (max: number, connectTimeoutMs = 30_000): Promise<Db> => {
  const db = await openPg({ url: server.url, name: 'outage', max, connectTimeoutMs });
  opened.push(db);
  return db;
};
beforeAll(async () => {
  server = await ownPostgres();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((db) => db.close()));
});
afterAll(() => server.stop());

const backend = unprepared<{ pid: number }>('select pg_backend_pid() as pid');
const endBackend = unprepared('select pg_terminate_backend($1)');
const readPid = async (q: Pick<Db, 'query'>): Promise<number> => (await q.query(backend))[0]?.pid ?? 0;

it('a database that is down when the service starts is unavailable, then works when it is up', async () => {
  await server.down();
  const db = await open(2);
  expect(await rejection(db.ping())).toMatchObject({ code: 'service_unavailable' });
  await server.up();
  await expect(db.ping()).resolves.toBeUndefined();
});

it('a crash of the server turns work in hand into unavailable and the pool recovers by itself', async () => {
  const db = await open(3);
  const inHand = [
    rejection(db.query(unprepared('select pg_sleep(60)'))),
    rejection(db.transaction((tx) => tx.query(unprepared('select pg_sleep(60)')))),
  ];
  const watcher = await open(1);
  const busy = unprepared<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'`,
  );
  await eventually(async () => ((await watcher.query(busy))[0]?.n === 2 ? true : undefined));
  await server.kill();
  for (const error of await Promise.all(inHand)) expect(isUnavailable(error)).toBe(true);
  expect(isUnavailable(await rejection(db.ping()))).toBe(true);
  await server.up();
  await expect(Promise.all([db.ping(), db.ping(), db.ping()])).resolves.toHaveLength(3);
});

it('a connection that broke inside a transaction is thrown away and nothing of it stays', async () => {
  const [db, killer] = [await open(1), await open(1)];
  await db.query(unprepared('create table kept (id int)'));
  let broken = 0;
  const work = db.transaction(async (tx) => {
    await tx.query(unprepared('insert into kept values (1)'));
    broken = await readPid(tx);
    await killer.query(endBackend, [broken]);
    await tx.query(unprepared('insert into kept values (2)'));
  });
  expect(await rejection(work)).toMatchObject({ code: 'service_unavailable' });
  expect(await readPid(db)).not.toBe(broken);
  expect(await db.query(unprepared('select * from kept'))).toEqual([]);
});

it('a connection that is lost while idle neither ends the process nor fails the next call', async () => {
  const [db, killer] = [await open(1), await open(1)];
  const idle = await readPid(db);
  const gone = new Promise((resolve) => db.pool.once('remove', resolve));
  await killer.query(endBackend, [idle]);
  await gone;
  expect(await readPid(db)).not.toBe(idle);
});

it('a connection lost between two statements of a transaction does not end the process', async () => {
  const [db, killer] = [await open(1), await open(1)];
  const work = db.transaction(async (tx) => {
    const pid = await readPid(tx);
    await killer.query(endBackend, [pid]);
    const alive = unprepared('select 1 from pg_stat_activity where pid = $1');
    await eventually(async () => ((await killer.query(alive, [pid])).length === 0 ? true : undefined));
    await new Promise((resolve) => setImmediate(resolve));
    return tx.query(backend);
  });
  expect(await rejection(work)).toMatchObject({ code: 'service_unavailable' });
});

it('waiting too long for a free connection is unavailable, not a hang', async () => {
  const db = await open(1, 2_000);
  const { promise, resolve } = Promise.withResolvers<void>();
  const holding = db.transaction(() => promise);
  expect(await rejection(db.ping())).toMatchObject({ code: 'service_unavailable' });
  resolve();
  await holding;
  await expect(db.ping()).resolves.toBeUndefined();
});

it('a server that accepts connections and never answers is unavailable to a pool and to a leader', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const db = await openPg({
    url: `postgres://127.0.0.1:${port}/silent`,
    name: 'silent',
    connectTimeoutMs: 50,
  });
  expect(await rejection(db.ping())).toMatchObject({ code: 'service_unavailable' });
  expect(await rejection(db.leadership('silent').claim())).toMatchObject({ code: 'service_unavailable' });
  await db.close();
  for (const socket of sockets) socket.destroy();
  silent.close();
});

it('a closed pool refuses as unavailable', async () => {
  const db = await openPg({ url: server.url, name: 'closed' });
  await db.ping();
  await db.close();
  expect(await rejection(db.ping())).toMatchObject({ code: 'service_unavailable' });
});
