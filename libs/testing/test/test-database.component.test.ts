import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { testDatabase, testPostgres, type SchemaSource } from '../src/index.ts';

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'group-payments-migrations-'));
});

afterAll(() => rm(root, { recursive: true, force: true }));

async function source(schema: string, sql: string): Promise<SchemaSource> {
  const directory = join(root, schema, 'migrations');
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, '0001-start.sql'), `--! expand\n${sql}\n`);
  return { schema, directories: [directory] };
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

it('a test database is given to each caller, migrated the same way', async () => {
  const schemas = [await source('testing_own', 'create table testing_own.notes (text text)')];
  const [one, two] = await Promise.all([testDatabase({ schemas }), testDatabase({ schemas })]);
  await query(one.url('testing_own'), `insert into notes values ('only here')`);
  expect(await query(one.url('testing_own'), 'select text from notes')).toEqual([{ text: 'only here' }]);
  expect(await query(two.url('testing_own'), 'select text from notes')).toEqual([]);
  await Promise.all([one.drop(), two.drop()]);
});

it('a test database gives a service no more rights than in production: another schema is closed to it', async () => {
  const schemas = [
    await source('testing_mine', 'create table testing_mine.notes (text text)'),
    await source('testing_theirs', 'create table testing_theirs.secrets (text text)'),
  ];
  const database = await testDatabase({ schemas });
  const peek = query(database.url('testing_mine'), 'select * from testing_theirs.secrets');
  await expect(peek).rejects.toThrow(/permission denied for schema testing_theirs/);
  await database.drop();
});

it('a changed migration is noticed', async () => {
  const before = await testDatabase({ schemas: [await source('testing_edit', 'select 1')] });
  const after = await testDatabase({
    schemas: [await source('testing_edit', 'create table testing_edit.fresh ()')],
  });
  expect(await query(after.url('testing_edit'), 'select * from fresh')).toEqual([]);
  await expect(query(before.url('testing_edit'), 'select * from fresh')).rejects.toThrow(/does not exist/);
  await Promise.all([before.drop(), after.drop()]);
});

it('a migration that fails is reported with its fault each time', async () => {
  const schemas = [await source('testing_broken', 'create table oops (')];
  await expect(testDatabase({ schemas })).rejects.toThrow(/syntax error/);
  await expect(testDatabase({ schemas })).rejects.toThrow(/syntax error/);
});

it('a dropped database is removed although somebody is still connected', async () => {
  const { adminUrl } = await testPostgres();
  const database = await testDatabase({ schemas: [] });
  const client = new pg.Client({ connectionString: database.adminUrl });
  client.on('error', () => undefined);
  const ended = new Promise((resolve) => client.once('end', resolve));
  await client.connect();
  await database.drop();
  await ended;
  const name = new URL(database.adminUrl).pathname.slice(1);
  expect(await query(adminUrl, `select 1 from pg_database where datname = '${name}'`)).toEqual([]);
});
