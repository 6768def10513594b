import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { outboxMigrations } from '@gp/outbox';
import { migrate, type Db } from '@gp/pg';
import { ownPostgres, patientPg, type OwnServer } from '@gp/testing';
import { measureCreates, type CreateCost } from './gates.ts';
import { migrations } from './harness.ts';

let postgres: OwnServer;
let admin: Db;
let cost: CreateCost;
beforeAll(async () => {
  postgres = await ownPostgres();
  const role = { schema: 'group_ledger', role: 'group_ledger', password: 'secret' };
  await migrate({ url: postgres.url, ...role, directories: [outboxMigrations, migrations] });
  admin = await patientPg({ url: postgres.url, name: 'gates' });
  // It comes once a minute, and what it writes would be counted where the minute ends within the measurement.
  await admin.pool.query('alter system set autovacuum = off');
  await admin.pool.query('select pg_reload_conf()');
  const url = new URL(postgres.url);
  url.username = role.role;
  url.password = role.password;
  cost = await measureCreates({ url: url.href, admin });
  process.stdout.write(`creates ${JSON.stringify(cost)}\n`);
});
afterAll(async () => {
  await admin?.close();
  await postgres?.stop();
});

it('a batch of 32 creates is one statement and one round trip', () => {
  expect(cost.statementsPerBatch).toBe(1);
  expect(cost.roundTripsPerCreate).toBeLessThanOrEqual(1 / 32);
});

it('a create of five slots writes at most 3,000 bytes of log', () => {
  expect(cost.walBytesPerCreate).toBeGreaterThan(1_000);
  expect(cost.walBytesPerCreate).toBeLessThanOrEqual(3_000);
});
