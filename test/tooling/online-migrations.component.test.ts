import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { services } from '@gp/stack';
import { testDatabase, type TestDatabase } from '@gp/testing';
import pg from 'pg';
import { listOffences, type Offence } from './online-migrations.ts';
import { project } from './project-files.ts';

/**
 * Migrations from before the first release: they were written for empty tables and are never edited. No file is
 * added here; decision 0032 says why.
 */
const BEFORE_THE_FIRST_RELEASE: readonly string[] = [
  'api-gateway/0002-final-answers.sql',
  'gateway/0002-one-preparation-per-reference.sql',
  'gateway/0003-test-clocks.sql',
  'gateway/0009-verified-credentials.sql',
  'group-ledger/0005-measures.sql',
  'merchant-dashboard/0002-browsers.sql',
  'merchant-dashboard/0003-accounts.sql',
  'merchant-dashboard/0005-verified-gateways.sql',
  'merchant-dashboard/0007-restricted-keys.sql',
  'psp-sandbox/0002-test-clocks.sql',
  'scheduler/0002-test-clocks.sql',
  'webhook-dispatcher/0002-management.sql',
];

let database: TestDatabase;
let client: pg.Client;
beforeEach(async () => {
  database = await testDatabase({ schemas: [] });
  client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

it('every migration since the first release lets services read and write while it runs (F13)', async () => {
  const offences: Offence[] = [];
  for (const { schema, migrations } of services)
    offences.push(
      ...(await listOffences(
        client,
        schema,
        migrations.map((each) => join(project, each)),
      )),
    );
  const files = [...new Set(offences.map(({ file }) => file))].sort();
  expect(files).toEqual(BEFORE_THE_FIRST_RELEASE);
});

describe('the check of migrations (F13)', () => {
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

  /** Reasons against a file that follows two tables. */
  async function judge(sql: string): Promise<string[]> {
    const folder = await mkdtemp(join(tmpdir(), 'group-payments-online-'));
    folders.push(folder);
    const directory = join(folder, 'planted', 'migrations');
    await mkdir(directory, { recursive: true });
    const tables = `create table items (id bigint primary key, amount int, owner int);
      create table owners (id int primary key);`;
    await writeFile(join(directory, '0001-tables.sql'), `--! expand\n${tables}`);
    await writeFile(join(directory, '0002-planted.sql'), `--! expand\n${sql}`);
    return (await listOffences(client, 'planted', [directory])).map(({ reason }) => reason);
  }
  const readsAll = ['reads all of items while services wait'];

  it.each([
    ['builds an index on an existing table', 'create index on items (amount);'],
    [
      'adds a column with a volatile default',
      'alter table items add column at timestamptz default clock_timestamp();',
    ],
    ['changes the type of a column', 'alter table items alter column amount type bigint;'],
    ['adds a constraint that is checked at once', 'alter table items add check (amount > 0);'],
    [
      'adds a foreign key that is checked at once',
      'alter table items add foreign key (owner) references owners;',
    ],
    ['forbids null in an existing column', 'alter table items alter column amount set not null;'],
    ['writes all rows of an existing table', 'update items set amount = 0;'],
  ])('a migration that %s is refused', async (_, sql) => {
    expect(await judge(sql)).toEqual(expect.arrayContaining(readsAll));
  });

  it('a migration that locks two existing tables is refused', async () => {
    const two = 'alter table items add column note text; alter table owners add column note text;';
    expect(await judge(two)).toEqual(['keeps items and owners locked at once']);
  });

  it('a migration that does outside a transaction what is not concurrent is refused', async () => {
    const plain = '--! no-transaction\ncreate index on items (amount);';
    expect(await judge(plain)).toEqual([expect.stringContaining('outside a transaction')]);
  });

  it.each([
    ['a new table with its index', 'create table more (id int); create index on more (id);'],
    ['a column with a fixed default', "alter table items add column note text not null default '';"],
    [
      'a column with the default now()',
      'alter table items add column at timestamptz not null default now();',
    ],
    ['a constraint for new rows', 'alter table items add check (amount > 0) not valid;'],
    [
      'an index built concurrently',
      '--! no-transaction\ncreate index concurrently by_amount on items (amount);',
    ],
  ])('a migration with %s is accepted', async (_, sql) => {
    expect(await judge(sql)).toEqual([]);
  });
});
