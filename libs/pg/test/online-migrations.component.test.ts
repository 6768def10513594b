import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, testDatabase, type TestDatabase } from '@gp/testing';
import pg from 'pg';
import { migrate } from '../src/index.ts';
import { DEFAULT_LOCK_POLICY, type LockPolicy } from '../src/migration-locks.ts';
import { scratchFolder, type ScratchFolder } from './scratch.ts';

const SCHEMA = 'migrate_online';
const ROWS = 20_000;
/** Time that a loaded machine may add to a statement, ms. */
const MARGIN_MS = 3_000;

const table = {
  '0001-items.sql': `--! expand
    create table items (id bigint generated always as identity primary key, amount int not null);
    insert into items (amount) select g from generate_series(1, ${ROWS}) g;`,
};
const column = { '0002-column.sql': '--! expand\nalter table items add column note text;' };
const concurrently = (what: string) => `--! expand\n--! no-transaction\ncreate ${what};`;
const index = { '0002-index.sql': concurrently('index concurrently items_by_amount on items (amount)') };
const unique = { '0002-unique.sql': concurrently('unique index concurrently items_once on items (amount)') };

let scratch: ScratchFolder;
let database: TestDatabase;
const clients: pg.Client[] = [];

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.adminUrl });
  clients.push(client);
  await client.connect();
  await client.query(`set search_path to ${SCHEMA}`);
  return client;
}
async function run(files: Record<string, string>, locks?: LockPolicy): Promise<{ applied: string[] }> {
  const directories = [await scratch.write('online', { ...table, ...files })];
  const made = { url: database.adminUrl, schema: SCHEMA, role: SCHEMA, password: 'test', directories };
  return migrate({ ...made, ...(locks && { locks }) });
}

/** Four services that write without a pause; `stop` returns how many statements ended and the longest one, ms. */
async function startWriters(): Promise<{ stop(): Promise<{ count: number; longestMs: number }> }> {
  let isOver = false;
  let [count, longestMs] = [0, 0];
  const write = async (): Promise<void> => {
    const client = await connect();
    while (!isOver) {
      const startedAt = performance.now();
      await client.query('insert into items (amount) values (0)');
      await client.query(`update items set amount = -1 where id = 1 + (random() * ${ROWS})::int % ${ROWS}`);
      longestMs = Math.max(longestMs, performance.now() - startedAt);
      count += 2;
    }
  };
  const writing = [write(), write(), write(), write()];
  return {
    async stop() {
      isOver = true;
      await Promise.all(writing);
      return { count, longestMs };
    },
  };
}

/** Opens a transaction that keeps its locks until it is ended. */
async function begin(statement: string): Promise<{ end(): Promise<void> }> {
  const client = await connect();
  await client.query('begin');
  await client.query(statement);
  return { end: async () => void (await client.query('commit')) };
}

async function findIndex(name: string): Promise<{ indisvalid: boolean } | undefined> {
  const { rows } = await (
    await connect()
  ).query<{ indisvalid: boolean }>(`select indisvalid from pg_index where indexrelid = to_regclass($1)`, [
    name,
  ]);
  return rows[0];
}

beforeAll(async () => {
  scratch = await scratchFolder();
});
beforeEach(async () => {
  database = await testDatabase({ schemas: [] });
  await run({});
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()));
  await database.drop();
});
afterAll(() => scratch.clear());

describe('a migration while services write to its table (F13)', () => {
  it('a migration waits for a long reader, and no statement waits longer than the lock timeout', async () => {
    const reader = await begin('select count(*) from items');
    const writers = await startWriters();
    const migrating = run(column);
    await delay(4 * DEFAULT_LOCK_POLICY.timeoutMs);
    await reader.end();
    expect(await migrating).toEqual({ applied: ['online/0002-column.sql'] });
    const { count, longestMs } = await writers.stop();
    expect(longestMs).toBeLessThan(DEFAULT_LOCK_POLICY.timeoutMs + MARGIN_MS);
    expect(count).toBeGreaterThan(10);
  }, 60_000);

  it('a concurrent index is built beside a writer that stays, and no statement waits for it', async () => {
    const writer = await begin('insert into items (amount) values (0)');
    const writers = await startWriters();
    const migrating = run(index);
    await eventually(async () => ((await findIndex('items_by_amount')) ? true : undefined));
    await delay(2 * MARGIN_MS);
    await writer.end();
    expect(await migrating).toEqual({ applied: ['online/0002-index.sql'] });
    expect((await writers.stop()).longestMs).toBeLessThan(MARGIN_MS);
    expect(await findIndex('items_by_amount')).toEqual({ indisvalid: true });
  }, 60_000);

  it('a migration that never gets its lock fails with that reason and leaves nothing of itself', async () => {
    const reader = await begin('select count(*) from items');
    const impatient = { timeoutMs: 50, pauseMs: 10, patienceMs: 200 };
    await expect(run(column, impatient)).rejects.toThrow(/0002-column\.sql failed: .*lock timeout/);
    await reader.end();
    expect(await run(column)).toEqual({ applied: ['online/0002-column.sql'] });
  });
});

describe('an index that was built concurrently (F13)', () => {
  it('an index whose build failed stays invalid until the next run, which builds it', async () => {
    const admin = await connect();
    await admin.query('insert into items (amount) values (7)');
    await expect(run(unique)).rejects.toThrow(/0002-unique\.sql failed: could not create unique index/);
    expect(await findIndex('items_once')).toEqual({ indisvalid: false });
    await admin.query('delete from items where amount = 7');
    expect(await run(unique)).toEqual({ applied: ['online/0002-unique.sql'] });
    expect(await findIndex('items_once')).toEqual({ indisvalid: true });
  });

  it('an index that a dead process built without recording is recorded by the next run', async () => {
    await run(index);
    const admin = await connect();
    await admin.query(`delete from migrations where name = '0002-index.sql'`);
    expect(await run(index)).toEqual({ applied: ['online/0002-index.sql'] });
    expect(await run(index)).toEqual({ applied: [] });
  });
});
