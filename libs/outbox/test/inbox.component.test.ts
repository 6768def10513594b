import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openPg, statement, unprepared, type Db } from '@gp/pg';
import { metrics } from '@gp/telemetry';
import { testDatabase, type TestDatabase } from '@gp/testing';
import {
  claimInbox,
  countDuplicates,
  inboxClaimFragment,
  insertOutbox,
  outboxArrays,
  outboxInsertFragment,
  outboxMigrations,
  OUTBOX_PARAMETERS,
} from '../src/index.ts';
import { buildMessage } from './post-office.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await testDatabase({ schemas: [{ schema: 'mail', directories: [outboxMigrations] }] });
  db = await openPg({ url: database.url('mail'), name: 'inbox', connectTimeoutMs: 30_000 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

it('a message is new once per consumer, and what comes again is counted', async () => {
  expect(await claimInbox(db, 'a', 'm1')).toBe(true);
  expect(await claimInbox(db, 'a', 'm1')).toBe(false);
  expect(await claimInbox(db, 'b', 'm1')).toBe(true);
  countDuplicates('b', 0);
  const page = await metrics.registry.getSingleMetricAsString('gp_inbox_duplicates_total');
  expect(page).toContain('gp_inbox_duplicates_total{consumer="a"} 1');
  expect(page).toContain('gp_inbox_duplicates_total{consumer="b"} 0');
});

it('a claim is given back when its effect is rolled back', async () => {
  const failing = db.transaction(async (tx) => {
    await claimInbox(tx, 'a', 'm2');
    throw new Error('the effect failed');
  });
  await expect(failing).rejects.toThrow('the effect failed');
  expect(await claimInbox(db, 'a', 'm2')).toBe(true);
});

it('a duplicate waits for the first one’s transaction and takes its place when that rolls back', async () => {
  const { promise: mayFail, resolve: fail } = Promise.withResolvers<void>();
  const { promise: claimed, resolve: hasClaimed } = Promise.withResolvers<void>();
  const first = db.transaction(async (tx) => {
    await claimInbox(tx, 'a', 'm3');
    hasClaimed();
    await mayFail;
    throw new Error('the effect failed');
  });
  await claimed;
  const second = db.transaction((tx) => claimInbox(tx, 'a', 'm3'));
  fail();
  await expect(first).rejects.toThrow('the effect failed');
  expect(await second).toBe(true);
});

it('state, claim and messages are written in one statement, and a repeat writes none of them', async () => {
  await database.asOwner(
    'mail',
    'create table accounts (id text primary key, balance bigint not null); grant all on accounts to mail',
  );
  const openAccount = statement<{ opened: string | null }>(
    'trial-open-account',
    `with claimed as (${inboxClaimFragment(1, 2)}),
       opened as (insert into accounts select $3, $4::bigint where exists (select from claimed) returning id),
       told as (${outboxInsertFragment(5, 'm.group_key in (select id from opened)')} returning position)
     select (select id from opened) as opened, (select count(*) from told)`,
  );
  const messages = [1, 2, 3].map((n) => buildMessage('evt.trial', n, n === 2 ? 'other' : 'acc'));
  const run = () => db.query(openAccount, ['bank', 'm4', 'acc', 10n, ...outboxArrays(messages)]);
  expect(outboxArrays(messages)).toHaveLength(OUTBOX_PARAMETERS);
  expect(await run()).toEqual([{ opened: 'acc', count: 2n }]);
  expect(await run()).toEqual([{ opened: null, count: 0n }]);
  const written = unprepared(`select payload->>'n' as n from outbox order by position`);
  expect(await db.query(written)).toEqual([{ n: '1' }, { n: '3' }]);
});

it('many messages keep the order they were given', async () => {
  await db.query(unprepared('delete from outbox'));
  await insertOutbox(db, []);
  const messages = Array.from({ length: 300 }, (_, n) => buildMessage('evt.trial', n, `g${n % 3}`));
  await insertOutbox(db, messages);
  const ids = unprepared<{ id: string }>('select id from outbox order by position');
  expect((await db.query(ids)).map((row) => row.id)).toEqual(messages.map((m) => m.id));
});

it('a message without a mode, or with an amount that is not text, is refused', async () => {
  const message = buildMessage('evt.trial', 1);
  await expect(insertOutbox(db, [{ ...message, mode: 'demo' as 'test' }])).rejects.toMatchObject({
    constraint: 'outbox_mode_is_test_or_live',
  });
  await expect(insertOutbox(db, [{ ...message, payload: { amount: 1n } }])).rejects.toThrow('BigInt');
});
