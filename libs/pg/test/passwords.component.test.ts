import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@gp/testing';
import { openPg, unprepared, type Db } from '../src/index.ts';

const endSessions = unprepared('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1');
const findUser = unprepared<{ name: string }>('select current_user as name');

let database: TestDatabase;
let admin: Db;
let role: string;
beforeEach(async () => {
  database = await testDatabase({ schemas: [] });
  admin = await openPg({ url: database.adminUrl, name: 'admin', max: 1 });
  // Roles are the server's, which other tests use too.
  const name = new URL(database.adminUrl).pathname.slice(1);
  role = `rotated_${name}`;
  await admin.query(unprepared(`create role ${role} login password 'old'`));
  await admin.query(unprepared(`grant connect on database ${name} to ${role}`));
});
afterEach(async () => {
  await admin.query(endSessions, [role]);
  await admin.query(unprepared(`drop owned by ${role}`));
  await admin.query(unprepared(`drop role ${role}`));
  await admin.close();
  await database.drop();
});

async function open(nextPassword?: string): Promise<Db> {
  const url = new URL(database.adminUrl);
  [url.username, url.password] = [role, 'old'];
  return openPg({ url: url.href, name: 'rotated', max: 3, nextPassword });
}

/** Changes the password and ends the sessions, so that what follows needs connections of its own. */
async function rotate(password: string): Promise<void> {
  await admin.query(unprepared(`alter role ${role} password '${password}'`));
  await admin.query(endSessions, [role]);
}

it('a pool and a leader go on when their role gets the password that was announced, and when it is taken back', async () => {
  const db = await open('new');
  const leader = db.leadership('rotation');
  expect(await leader.claim()).toBe(true);
  for (const password of ['new', 'old']) {
    await rotate(password);
    const another = db.leadership('another');
    expect(await another.claim()).toBe(true);
    await another.release();
    const found = await Promise.all([1, 2, 3].map(() => db.query(findUser)));
    expect(found.flat()).toEqual(Array.from({ length: 3 }, () => ({ name: role })));
    expect(await leader.claim()).toBe(true);
  }
  await leader.release();
  await db.close();
});

it('a pool that knows no other password says that the database is away', async () => {
  const db = await open();
  await rotate('new');
  await expect(db.query(findUser)).rejects.toMatchObject({ code: 'service_unavailable' });
  await expect(db.leadership('rotation').claim()).rejects.toMatchObject({ code: 'service_unavailable' });
  await db.close();
});
