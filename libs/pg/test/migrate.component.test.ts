import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@gp/testing';
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
  it('the role logs in, owns what was made and finds it without naming its schema', async () => {
    await run('migrate_a', [await scratch.write('own', items)], 'p@ss:w/ord');
    const db = await openAs('migrate_a', 'p@ss:w/ord');
    await db.query(unprepared('insert into items values (1)'));
    expect(
      await db.query(unprepared('select tableowner from pg_tables where tablename = $1'), ['items']),
    ).toEqual([{ tableowner: 'migrate_a' }]);
  });

  it('a changed password replaces the old one', async () => {
    const directory = await scratch.write('own', items);
    await run('migrate_a', [directory], 'old');
    await run('migrate_a', [directory], 'new');
    await expect((await openAs('migrate_a', 'new')).ping()).resolves.toBeUndefined();
    expect(await rejection((await openAs('migrate_a', 'old')).ping())).toMatchObject({ code: '28P01' });
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
      'select * from migrations',
    ]) {
      expect(await rejection(db.query(unprepared(forbidden)))).toMatchObject({ code: '42501' });
    }
  });

  it('an administrator without superuser rights can migrate, too', async () => {
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
    await (await openAs('migrate_c')).query(unprepared('insert into items values (1)'));
    await admin.query(unprepared(`drop owned by migrate_c cascade`));
    await admin.query(unprepared(`drop role migrate_c`));
    await admin.query(unprepared(`alter database ${row?.name} owner to current_user`));
    await admin.query(unprepared(`drop owned by migrate_owner cascade`));
    await admin.query(unprepared(`drop role migrate_owner`));
  });
});
