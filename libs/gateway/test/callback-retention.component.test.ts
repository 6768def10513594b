import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Db } from '@gp/pg';
import { deleteCallbacks } from '../src/app/delete-callbacks.ts';
import { openGatewayDatabase, type GatewayDatabase } from './support/database.ts';

const { signal } = new AbortController();
let database: GatewayDatabase;
let db: Db;

beforeAll(async () => {
  database = await openGatewayDatabase();
  db = database.db;
});
afterAll(() => database?.close());

it('callbacks are deleted after 90 days, 500 at a time; one that was never applied stays (Q31)', async () => {
  await db.pool.query(`
    insert into callbacks (id, mode, merchant_id, credential_version, account, event_id, event_type,
                           psp_reference, state, received_at)
    select gen_random_uuid(), 'test', 'm1', 1, 'account', kind || n, 'paid', 'reference', state, clock_timestamp() - age
      from (values ('old', 'applied', interval '90 days 1 minute', 600),
                   ('young', 'applied', interval '89 days 23 hours', 3),
                   ('open', 'stored', interval '91 days', 1)) as kinds (kind, state, age, many),
           generate_series(1, many) as n`);
  const loop = deleteCallbacks(db);
  const left = async () => Number((await db.pool.query('select count(*) from callbacks')).rows[0].count);
  expect([await loop.runOnce(signal), await left()]).toEqual(['busy', 104]);
  expect([await loop.runOnce(signal), await left()]).toEqual(['busy', 4]);
  expect([await loop.runOnce(signal), await left()]).toEqual(['idle', 4]);
});
