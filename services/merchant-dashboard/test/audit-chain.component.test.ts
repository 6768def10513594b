import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { openBus, type Bus } from '@gp/bus';
import { outboxMigrations } from '@gp/outbox';
import { migrate, openPg, type Db } from '@gp/pg';
import {
  createOperator,
  eventually,
  playOperators,
  runProgram,
  testDatabase,
  testNats,
  type OwnServer,
  type TestDatabase,
} from '@gp/testing';
import { answerAudit } from '../src/bus/answer-audit.ts';
import { insertAudit } from '../src/db/audit.ts';
import { insertMerchant } from '../src/db/merchants.ts';

const migrations = new URL('../migrations', import.meta.url).pathname;
const ann = createOperator('ann', 'read');
const operator = new URL('../../operator/src/cli.ts', import.meta.url).pathname;

let database: TestDatabase;
let nats: OwnServer;
let db: Db;
let bus: Bus;
let folder: string;
let merchantId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'group-payments-audit-'));
  [database, nats] = await Promise.all([
    testDatabase({ schemas: [{ schema: 'merchant', directories: [outboxMigrations, migrations] }] }),
    testNats(),
  ]);
  db = await openPg({ url: database.url('merchant'), name: 'audit', max: 4, connectTimeoutMs: 30_000 });
  bus = await openBus({ servers: nats.url, name: 'audit' });
  await eventually(() => bus.isConnected() || undefined);
  playOperators(bus, ann);
  answerAudit({ serve: (on, contract, handler) => void on.serve(contract, handler) }, bus, db);
});
afterAll(async () => {
  await bus?.close();
  await db?.close();
  await Promise.all([nats?.stop(), database?.drop(), rm(folder, { recursive: true, force: true })]);
});
beforeEach(async () => {
  await asOwner(`alter table audit_log disable trigger user; grant update, delete, truncate on audit_log to current_user;
    truncate audit_log, audit_chain; alter table audit_log enable trigger user`);
  merchantId = await newMerchant();
});

const asOwner = (sql: string): Promise<{ text: string }[]> => database.asOwner('merchant', sql);

async function newMerchant(): Promise<string> {
  const [id, userId] = [randomUUID(), randomUUID()];
  const owner = { id: userId, email: `${userId}@merchants.example`, passwordHash: 'x' };
  await insertMerchant(db, { id, name: 'Casa Lola', owner });
  return id;
}

const note = (action: string, of = merchantId): Promise<void> =>
  insertAudit(db, { merchantId: of, name: 'José "Pepe" \\ \u2028 日本' }, action, {
    aa: 1.5,
    b: ['\n', null],
  });

/** Runs an operator's command and returns how it ended. */
async function operate(...args: string[]): Promise<{ code: number | null; said: string }> {
  const { child, ended } = runProgram(operator, args, { NATS_URL: nats.url, OPERATOR_KEY: ann.seed });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return { code: (await ended).code, said };
}

/** Changes the log as its owner can: without the triggers. */
const tamper = (sql: string): Promise<unknown> =>
  asOwner(`alter table audit_log disable trigger user; ${sql}; alter table audit_log enable trigger user`);

it('entries are chained in the order of their commits, whichever was written first (H6)', async () => {
  let late: Promise<void> = Promise.resolve();
  await db.transaction(async (tx) => {
    await insertAudit(tx, { merchantId, name: 'slow' }, 'written.first', {});
    late = note('committed.first');
    await late;
  });
  const chained = await asOwner(
    `select a.action as text from audit_chain c join audit_log a on a.id = c.entry_id order by c.position`,
  );
  expect(chained.map(({ text }) => text)).toEqual(['committed.first', 'written.first']);
});

it('writers at the same time make one chain without a gap (H6, H7)', async () => {
  const other = await newMerchant();
  await Promise.all(Array.from({ length: 40 }, (_, n) => note(`act.${n}`, n % 2 === 0 ? merchantId : other)));
  const { code, said } = await operate('audit', 'verify', '--json');
  expect(said).toContain('"entries": 40');
  expect(code).toBe(0);
});

it('the service chooses neither time nor place of an entry (H6)', async () => {
  await db.pool.query(
    `insert into audit_log (id, merchant_id, actor, action, details, at)
     values (gen_random_uuid(), $1, 'me', 'long.ago', '{}', '2001-01-01')`,
    [merchantId],
  );
  const [row] = await asOwner(`select (at > now() - interval '1 hour')::text as text from audit_log`);
  expect(row).toEqual({ text: 'true' });
  for (const sql of [
    `insert into audit_chain values ('${merchantId}', 7, gen_random_uuid(), '')`,
    'delete from audit_chain',
    `update audit_chain set hash = ''`,
    'select append_audit_entry(a) from audit_log a',
  ])
    await expect(db.pool.query(sql)).rejects.toMatchObject({ code: '42501' });
});

it.each([
  ['was changed', `update audit_log set actor = 'nobody' where action = 'act.2'`, 'entry 2: was changed'],
  ['was removed', `delete from audit_log where action = 'act.2'`, 'entry 2: is missing from the log'],
  [
    'was removed with its place',
    `delete from audit_chain where position = 2; delete from audit_log where action = 'act.2'`,
    'entry 2: is missing from the chain',
  ],
  [
    'was put in',
    `insert into audit_log (id, merchant_id, actor, action, details)
     select gen_random_uuid(), merchant_id, actor, 'new', '{}' from audit_log where action = 'act.2'`,
    '4 entries are logged and 3 are in the chain',
  ],
])('the operator finds an entry that %s (H7)', async (_what, sql, fault) => {
  for (const n of [1, 2, 3]) await note(`act.${n}`);
  expect((await operate('audit', 'verify')).code).toBe(0);
  await tamper(sql);
  const { code, said } = await operate('audit', 'verify');
  expect(said).toContain(fault);
  expect(code).toBe(1);
});

it('a chain that the owner computed anew differs from an earlier export (H7)', async () => {
  for (const n of [1, 2, 3]) await note(`act.${n}`);
  const file = join(folder, 'export.jsonl');
  expect(await operate('audit', 'export', '--file', file, '--json')).toMatchObject({ code: 0 });
  await note('act.4');
  expect((await operate('audit', 'verify', '--file', file)).code).toBe(0);
  await tamper(`delete from audit_log where action = 'act.2'; truncate audit_chain;
    do $$ declare e audit_log; begin
      for e in select * from audit_log order by action loop perform append_audit_entry(e); end loop; end $$`);
  expect((await operate('audit', 'verify')).code).toBe(0);
  const { code, said } = await operate('audit', 'verify', '--file', file);
  expect(said).toContain(`merchant ${merchantId}, entry 2: differs from the export`);
  expect(code).toBe(1);
  const again = await operate('audit', 'export', '--file', file);
  expect([again.code, again.said]).toEqual([1, expect.stringContaining('EEXIST')]);
});

it('entries of a release without a chain get their places with the upgrade, also those written while it runs (H6)', async () => {
  const old = join(folder, 'merchant-dashboard', 'migrations');
  const isOld = (path: string): boolean => !path.endsWith('.sql') || basename(path) < '0010';
  await cp(migrations, old, { recursive: true, filter: isOld });
  const fresh = await testDatabase({ schemas: [] });
  const made = { url: fresh.adminUrl, schema: 'merchant', role: 'merchant', password: 'test' };
  await migrate({ ...made, directories: [outboxMigrations, old] });
  const service = await openPg({ url: fresh.url('merchant'), name: 'old', max: 1 });
  for (const n of [1, 2, 3]) await insertAudit(service, { merchantId, name: 'old' }, `old.${n}`, {});
  await cp(join(migrations, '0010-audit-chain.sql'), join(old, '0010-audit-chain.sql'));
  await migrate({ ...made, directories: [outboxMigrations, old] });
  await insertAudit(service, { merchantId, name: 'old' }, 'old.4', {});
  await migrate({ ...made, directories: [outboxMigrations, migrations] });
  await insertAudit(service, { merchantId, name: 'new' }, 'new.5', {});
  const { rows } = await service.pool.query<{ action: string }>(
    'select a.action from audit_chain c join audit_log a on a.id = c.entry_id order by c.position',
  );
  expect(rows.map(({ action }) => action)).toEqual(['old.1', 'old.2', 'old.3', 'old.4', 'new.5']);
  await service.close();
  await fresh.drop();
});
