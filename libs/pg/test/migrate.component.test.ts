import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, testDatabase, type TestDatabase } from '@gp/testing';
import { migrate, openPg, unprepared, type Db } from '../src/index.ts';
import { rejection, scratchFolder, type ScratchFolder } from './scratch.ts';

let scratch: ScratchFolder;
let database: TestDatabase;
let admin: Db;
const opened: Db[] = [];

beforeAll(async () => {
  scratch = await scratchFolder();
});
beforeEach(async () => {
  database = await testDatabase({ schemas: [] });
  admin = await openPg({ url: database.adminUrl, name: 'admin', max: 1 });
});
afterEach(async () => {
  await Promise.all([admin, ...opened.splice(0)].map((db) => db.close()));
  await database.drop();
});
afterAll(() => scratch.clear());

const run = (schema: string, directories: string[], password = 'test'): Promise<{ applied: string[] }> =>
  migrate({ url: database.adminUrl, schema, role: schema, password, directories });

async function openAs(role: string, password = 'test'): Promise<Db> {
  const url = new URL(database.adminUrl);
  url.username = role;
  url.password = encodeURIComponent(password);
  const db = await openPg({ url: url.toString(), name: role, max: 1 });
  opened.push(db);
  return db;
}

const items = { '0001-items.sql': '--! expand\ncreate table items (id int primary key);' };
const secondFile = { '0002-more.sql': '--! contract\ncreate table more (id int);' };

const LIMITS = [
  { setting: 'idle_in_transaction_session_timeout', value: '10s' },
  { setting: 'jit', value: 'off' },
  { setting: 'statement_timeout', value: '5s' },
];
const readDefaults = unprepared<{ setting: string; value: string }>(
  `select name as setting, current_setting(name) as value from pg_settings
   where source = 'user' and name <> 'search_path' order by name`,
);

describe("sessions of the service's role", () => {
  it('they begin with limits that the service does not have to ask for, and compile no statement', async () => {
    await run('sessions_a', [await scratch.write('limited', items)]);
    expect(await (await openAs('sessions_a')).query(readDefaults)).toEqual(LIMITS);
  });

  it('they plan each prepared statement once where the comment on the schema says so', async () => {
    const comment = `--! expand\ncomment on schema sessions_b is 'plans once';`;
    await run('sessions_b', [await scratch.write('planned', { ...items, '0002-comment.sql': comment })]);
    const once = { setting: 'plan_cache_mode', value: 'force_generic_plan' };
    const db = await openAs('sessions_b');
    expect(await db.query(readDefaults)).toEqual([LIMITS[0], LIMITS[1], once, LIMITS[2]]);
  });

  it('a comment on the schema that says something else stops the run', async () => {
    const comment = `--! expand\ncomment on schema sessions_c is 'sleeps well';`;
    const directory = await scratch.write('wrong', { ...items, '0002-comment.sql': comment });
    await expect(run('sessions_c', [directory])).rejects.toThrow(
      'the comment on schema sessions_c must be one of: plans once',
    );
  });
});

describe('files', () => {
  it('each file is applied once, directories in their order, and the rest is skipped', async () => {
    const shared = await scratch.write('shared', items);
    const own = await scratch.write('own', {
      '0001-refer.sql': '--! expand\nalter table items add column n int;',
    });
    expect(await run('migrate_a', [shared, own])).toEqual({
      applied: ['shared/0001-items.sql', 'own/0001-refer.sql'],
    });
    await scratch.write('shared', { ...items, ...secondFile });
    expect(await run('migrate_a', [shared, own])).toEqual({ applied: ['shared/0002-more.sql'] });
    expect(await run('migrate_a', [shared, own])).toEqual({ applied: [] });
  });

  it('an applied file that was edited stops the run with its name', async () => {
    const directory = await scratch.write('edited', items);
    await run('migrate_a', [directory]);
    await scratch.write('edited', {
      '0001-items.sql': `${items['0001-items.sql']} -- changed`,
      ...secondFile,
    });
    await expect(run('migrate_a', [directory])).rejects.toThrow('edited/0001-items.sql was edited');
    expect(await admin.query(unprepared(`select to_regclass('migrate_a.more') as t`))).toEqual([{ t: null }]);
  });

  it('an older release starts against a schema that is ahead of it', async () => {
    const directory = await scratch.write('ahead', { ...items, ...secondFile });
    await run('migrate_a', [directory]);
    await scratch.write('ahead', items);
    expect(await run('migrate_a', [directory])).toEqual({ applied: [] });
  });

  it('a new file numbered before an applied one is refused', async () => {
    const directory = await scratch.write('late', secondFile);
    await run('migrate_a', [directory]);
    await scratch.write('late', { ...items, ...secondFile });
    await expect(run('migrate_a', [directory])).rejects.toThrow('give it a later number');
  });

  it('a file that fails leaves nothing of itself and keeps what came before', async () => {
    const broken = '--! expand\ncreate table half (id int); select nonsense;';
    const directory = await scratch.write('broken', { ...items, '0002-broken.sql': broken });
    await expect(run('migrate_a', [directory])).rejects.toThrow(
      /broken\/0002-broken\.sql failed: .*nonsense/,
    );
    expect(
      await admin.query(
        unprepared(
          `select to_regclass('migrate_a.items')::text as items, to_regclass('migrate_a.half') as half`,
        ),
      ),
    ).toEqual([{ items: 'migrate_a.items', half: null }]);
    await scratch.write('broken', { ...items, ...secondFile });
    expect(await run('migrate_a', [directory])).toEqual({ applied: ['broken/0002-more.sql'] });
  });

  it('a file outside a transaction may build an index while others write', async () => {
    const concurrent = '--! expand\n--! no-transaction\ncreate index concurrently items_by_id on items (id);';
    const directory = await scratch.write('concurrent', { ...items, '0002-index.sql': concurrent });
    expect((await run('migrate_a', [directory])).applied).toHaveLength(2);
    expect(await admin.query(unprepared(`select to_regclass('migrate_a.items_by_id')::text as i`))).toEqual([
      { i: 'migrate_a.items_by_id' },
    ]);
  });

  it.each([
    ['says neither expand nor contract', { '0001-a.sql': 'select 1' }, 'must say either'],
    ['says both', { '0001-a.sql': '--! expand\n--! contract\nselect 1' }, 'must say either'],
    ['has no number', { 'a.sql': '--! expand' }, 'must be called NNNN-name.sql'],
    ['shares its number', { '0001-a.sql': '--! expand', '0001-b.sql': '--! expand' }, 'is used twice'],
  ])('a file that %s is refused before anything runs', async (_, files, reason) => {
    const directory = await scratch.write('refused', files);
    await expect(run('migrate_a', [directory])).rejects.toThrow(reason);
  });

  it('two directories of one source are refused: their files could not be distinguished', async () => {
    const directory = await scratch.write('once', items);
    await expect(run('migrate_a', [directory, directory])).rejects.toThrow('belong to "once"');
  });

  it('processes that migrate at the same time apply each file once between them', async () => {
    const directory = await scratch.write('together', { ...items, ...secondFile });
    const runs = await Promise.all(Array.from({ length: 4 }, () => run('migrate_a', [directory])));
    expect(runs.flatMap((r) => r.applied).sort()).toEqual([
      'together/0001-items.sql',
      'together/0002-more.sql',
    ]);
  });
});

describe('roles', () => {
  it('the role logs in, owns nothing and finds what was made without naming its schema', async () => {
    await run('migrate_a', [await scratch.write('own', items)], 'p@ss:w/ord');
    const db = await openAs('migrate_a', 'p@ss:w/ord');
    await db.query(unprepared('insert into items values (1)'));
    expect(
      await db.query(unprepared('select tableowner from pg_tables where tablename = $1'), ['items']),
    ).toEqual([{ tableowner: 'migrate_a_owner' }]);
  });

  it('a changed password replaces the old one', async () => {
    const directory = await scratch.write('own', items);
    await run('migrate_a', [directory], 'old');
    await run('migrate_a', [directory], 'new');
    await expect((await openAs('migrate_a', 'new')).ping()).resolves.toBeUndefined();
    expect(await rejection((await openAs('migrate_a', 'old')).ping())).toMatchObject({
      code: 'service_unavailable',
      cause: { code: '28P01' },
    });
  });

  it('a role can neither read another schema nor make anything outside its own', async () => {
    const directory = await scratch.write('own', items);
    const [row] = await admin.query(unprepared<{ name: string }>('select current_database() as name'));
    await admin.query(unprepared(`grant all on database ${row?.name} to public`));
    await admin.query(unprepared('grant all on schema public to public'));
    await run('migrate_a', [directory]);
    await run('migrate_b', [directory]);
    const db = await openAs('migrate_a');
    for (const forbidden of [
      'select * from migrate_b.items',
      'create table public.mine (id int)',
      'create table migrate_b.mine (id int)',
      'create schema mine',
      'create temporary table mine (id int)',
      'set role migrate_b',
      'set role migrate_a_owner',
      'create table mine (id int)',
      'alter table items add column mine int',
      'alter table items disable trigger all',
      'truncate items',
      'drop table items',
      'select * from migrations',
    ]) {
      expect(await rejection(db.query(unprepared(forbidden)))).toMatchObject({ code: '42501' });
    }
  });

  it('an administrator without superuser rights can migrate and take a schema over, too (H4)', async () => {
    await admin.query(unprepared(`drop role if exists migrate_owner`));
    await admin.query(unprepared(`create role migrate_owner login createrole password 'test'`));
    const [row] = await admin.query(unprepared<{ name: string }>('select current_database() as name'));
    await admin.query(unprepared(`alter database ${row?.name} owner to migrate_owner`));
    const url = new URL(database.adminUrl);
    url.username = 'migrate_owner';
    url.password = 'test';
    const directories = [await scratch.write('own', items)];
    const made = {
      url: url.toString(),
      schema: 'migrate_c',
      role: 'migrate_c',
      password: 'test',
      directories,
    };
    await expect(migrate(made)).resolves.toEqual({ applied: ['own/0001-items.sql'] });
    await expect(migrate(made)).resolves.toEqual({ applied: [] });
    await admin.query(unprepared('reassign owned by migrate_c_owner to migrate_c'));
    await expect(migrate(made)).resolves.toEqual({ applied: [] });
    await (await openAs('migrate_c')).query(unprepared('insert into items values (1)'));
    await admin.query(unprepared(`drop owned by migrate_c cascade`));
    await admin.query(unprepared(`drop owned by migrate_c_owner cascade`));
    await admin.query(unprepared(`drop role migrate_c, migrate_c_owner`));
    await admin.query(unprepared(`alter database ${row?.name} owner to current_user`));
    await admin.query(unprepared(`drop owned by migrate_owner cascade`));
    await admin.query(unprepared(`drop role migrate_owner`));
  });
});

describe('what a service may do with its tables', () => {
  const tables = `--! expand
    create table free (id int);
    create table grows (id int); comment on table grows is 'append-only';
    create table stays (id int); comment on table stays is 'never deleted';
    create table shows (id int); comment on table shows is 'read-only';
    create function peek() returns int language sql security definer as 'select 7';`;
  const rights = { select: 'select * from', insert: 'insert into', update: 'update', delete: 'delete from' };

  /** Returns the statements that Postgres allows. They match no row: the right is checked all the same. */
  async function listRights(db: Db, table: string): Promise<string[]> {
    const allowed: string[] = [];
    for (const [right, words] of Object.entries(rights)) {
      const rest = { select: '', insert: ' values (1)', update: ' set id = 2', delete: '' }[right] ?? '';
      const failed = await db.query(unprepared(`${words} ${table}${rest}`)).then(
        () => undefined,
        (e: unknown) => (e as { code: string }).code,
      );
      if (failed === undefined) allowed.push(right);
      else expect(failed).toBe('42501');
    }
    return allowed;
  }

  it.each([
    ['free', ['select', 'insert', 'update', 'delete']],
    ['grows', ['select', 'insert']],
    ['stays', ['select', 'insert', 'update']],
    ['shows', ['select']],
  ])('a service may do with a table what its comment names: %s', async (table, expected) => {
    await run('migrate_a', [await scratch.write('access', { '0001-a.sql': tables })]);
    const db = await openAs('migrate_a');
    expect(await listRights(db, table)).toEqual(expected);
    expect(await db.query(unprepared('select peek()'))).toEqual([{ peek: 7 }]);
  });

  it('rights that somebody granted by hand end with the next run (H4)', async () => {
    const directories = [await scratch.write('access', { '0001-a.sql': tables })];
    await run('migrate_a', directories);
    await admin.query(unprepared('grant all on migrate_a.grows to migrate_a'));
    await run('migrate_a', directories);
    expect(await listRights(await openAs('migrate_a'), 'grows')).toEqual(['select', 'insert']);
  });

  it('a comment that names no access stops the run', async () => {
    const sql = `${tables} comment on table free is 'append only';`;
    const directories = [await scratch.write('access', { '0001-a.sql': sql })];
    await expect(run('migrate_a', directories)).rejects.toThrow('must be one of: append-only');
  });
});

describe('a schema whose service owned it, as releases before made it', () => {
  /** Gives everything back to the service's role, which is also the way back to such a release. */
  const giveBack = (schema: string): Promise<unknown> =>
    admin.query(unprepared(`reassign owned by ${schema}_owner to ${schema}`));
  const everything = `--! expand
    create type mood as enum ('calm'); create sequence tickets; create function one() returns int language sql as 'select 1';
    create table items (id int generated always as identity primary key, mood mood, name text);
    create table days (id int) partition by range (id);
    create table days_p1 partition of days for values from (0) to (9);
    create view calm as select * from items;`;

  it('a schema of an older release changes hands with all that is in it, and the service goes on (H4)', async () => {
    const directory = await scratch.write('old', { '0001-all.sql': everything });
    await run('migrate_a', [directory]);
    await giveBack('migrate_a');
    const service = await openAs('migrate_a');
    await service.query(unprepared('alter table days add column note text'));
    await scratch.write('old', {
      '0001-all.sql': everything,
      '0002-more.sql': `--! expand\ncomment on table items is 'append-only'`,
    });
    await run('migrate_a', [directory]);
    const left = unprepared<{ n: number }>(
      `select count(*)::int as n from pg_shdepend
       where refobjid = 'migrate_a'::regrole and deptype = 'o' and dbid = (select oid from pg_database where datname = current_database())`,
    );
    expect(await admin.query(left)).toEqual([{ n: 0 }]);
    await service.query(unprepared(`insert into items (mood) values ('calm')`));
    await service.query(unprepared(`insert into days values (nextval('tickets') + one())`));
    expect(await rejection(service.query(unprepared('drop table days_p1')))).toMatchObject({ code: '42501' });
  });

  it('a table that a transaction uses changes hands when it has ended; others are not kept waiting (H4)', async () => {
    const directory = await scratch.write('old', { '0001-all.sql': everything });
    await run('migrate_a', [directory]);
    await giveBack('migrate_a');
    const [busy, other] = [await openAs('migrate_a'), await openAs('migrate_a')];
    let migrating: Promise<unknown> = Promise.resolve();
    await busy.transaction(async (tx) => {
      await tx.query(unprepared(`insert into items (mood) values ('calm')`));
      migrating = run('migrate_a', [directory]);
      const waits = unprepared<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where application_name = 'gp-migrate' and wait_event_type = 'Lock'`,
      );
      await eventually(async () => (await admin.query(waits))[0]?.n === 1 || undefined);
      // It would wait for the migration, which waits for the transaction; the migration gives up first.
      expect(await other.query(unprepared('select * from items'))).toEqual([]);
    });
    await migrating;
    expect(
      await admin.query(unprepared(`select tableowner from pg_tables where tablename = 'items'`)),
    ).toEqual([{ tableowner: 'migrate_a_owner' }]);
  });
});
