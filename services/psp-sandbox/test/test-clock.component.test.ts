import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { resolve } from 'node:path';
import { openPg, type Db, type Queryable, type Statement } from '@gp/pg';
import { testDatabase, type TestDatabase } from '@gp/testing';
import { findTestEvents } from '../src/db/test-clock.ts';

const SCHEMA = 'psp_sandbox';
const PAYMENTS = 2_000;
const times = { now: new Date(), asOf: new Date() };

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  const directories = [resolve(import.meta.dirname, '../migrations')];
  database = await testDatabase({ schemas: [{ schema: SCHEMA, directories }] });
  db = await openPg({ url: database.url(SCHEMA), name: 'test', max: 1 });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

type Node = {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Node[];
};

/** Returns how many rows the steps of a statement go through, those that a step reads and drops included. */
async function countRows({ text }: Statement, values: readonly unknown[]): Promise<number> {
  const { rows } = await db.pool.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Node }] }>(
    `explain (analyze, format json) ${text}`,
    [...values],
  );
  const sum = (node: Node): number => {
    const dropped = Object.entries(node).flatMap(([key, value]) =>
      key.startsWith('Rows Removed') && typeof value === 'number' ? [value] : [],
    );
    const own = [node['Actual Rows'], ...dropped].reduce((total, one) => total + one, 0);
    return own * node['Actual Loops'] + (node.Plans ?? []).reduce((total, child) => total + sum(child), 0);
  };
  return sum(rows[0]!['QUERY PLAN'][0].Plan);
}

it('a merchant’s coming events are found by the references of the payments, however the server joins them (A6)', async () => {
  await database.asOwner(
    SCHEMA,
    `insert into accounts (gateway, account, name, public_ids, key_id, sealed_secrets, secret_hashes, merchant_id)
       values ('gateway_a', 'acct_1', 'one', '{}', 'k', '', '{}', 'm1');
     insert into payments (psp_reference, gateway, account, metadata, amount_minor, currency, status, details, created_at)
       select 'pi_' || n, 'gateway_a', 'acct_1', '{}', 100, 'EUR', 'created', '{}', now() from generate_series(1, ${PAYMENTS}) n;
     insert into works (gateway, psp_reference, kind, callbacks, due_at)
       select 'gateway_a', 'pi_' || n, 'lapse', 'faithful', now() + interval '3 days' from generate_series(1, ${PAYMENTS}) n`,
  );
  const asked: (readonly [Statement, readonly unknown[]])[] = [];
  const listening = {
    query: (s: Statement, values: readonly unknown[] = []) => {
      asked.push([s, values]);
      return db.query(s, values);
    },
  } as Queryable;
  expect(await findTestEvents(listening, 'm1', times)).toMatchObject({ isDue: false, wasDue: false });
  const [[sql, values] = []] = asked;
  // What the server does when its statistics say that the merchant has one payment.
  await db.pool.query('set enable_hashjoin = off; set enable_mergejoin = off');
  expect(await countRows(sql!, values!)).toBeLessThan(20 * PAYMENTS);
});
