import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@gp/testing';
import pg from 'pg';
import { services } from '../src/services.ts';

const root = resolve(import.meta.dirname, '../../..');
const REFUSED = { code: '42501' };

/** Tables of each schema whose rows nobody but the owner may change or delete. */
const HISTORY: Readonly<Record<string, readonly string[]>> = {
  group_ledger: ['postings', 'transitions', 'events'],
  merchant: ['audit_log'],
  webhooks: ['attempts'],
};
/** Tables of the ledger whose rows the service changes and never deletes. */
const MONEY = ['groups', 'slots', 'customers', 'intents', 'attempts', 'orders'];

let database: TestDatabase;
beforeAll(async () => {
  const schemas = services.map(({ schema, migrations }) => ({
    schema,
    directories: migrations.map((folder) => join(root, folder)),
  }));
  database = await testDatabase({ schemas });
});
afterAll(() => database?.drop());

async function withRole<T>(role: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: database.url(role) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Lists the tables of a schema, its runner's own one included. */
async function listTables(schema: string): Promise<string[]> {
  const rows = await database.asOwner<{ name: string }>(
    schema,
    `select tablename::text as name from pg_tables where schemaname = '${schema}' order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Finds a column that an update may name. */
async function findColumn(schema: string, table: string): Promise<string> {
  const [row] = await database.asOwner<{ name: string }>(
    schema,
    `select attname::text as name from pg_attribute
     where attrelid = '${table}'::regclass and attnum > 0 and attidentity = '' limit 1`,
  );
  return row?.name ?? '';
}

describe.each(services.map(({ schema }) => schema))('the role of the service with schema %s', (schema) => {
  it('the role owns nothing, belongs to no role and has no attribute of an administrator (H1)', async () => {
    const facts = await withRole(
      schema,
      async (client) =>
        (
          await client.query(
            `select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as is_mighty,
               (select count(*)::int from pg_auth_members where member = r.oid) as memberships,
               (select count(*)::int from pg_shdepend where refobjid = r.oid and deptype = 'o') as owned,
               (select rolcanlogin from pg_roles where rolname = r.rolname || '_owner') as owner_logs_in
             from pg_roles r where rolname = current_user`,
          )
        ).rows[0] as unknown,
    );
    expect(facts).toEqual({ is_mighty: false, memberships: 0, owned: 0, owner_logs_in: false });
  });

  it('the role cannot truncate, alter or drop a table, nor silence its triggers, nor pass rights on (H1)', async () => {
    await withRole(schema, async (client) => {
      for (const table of await listTables(schema))
        for (const sql of [
          `truncate ${table}`,
          `alter table ${table} disable trigger all`,
          `alter table ${table} owner to ${schema}`,
          `alter table ${table} add column mine int`,
          `create trigger mine before delete on ${table} for each row execute function suppress_redundant_updates_trigger()`,
          `comment on table ${table} is null`,
          `drop table ${table}`,
        ])
          expect([sql, await client.query(sql).catch((e: unknown) => e)]).toMatchObject([sql, REFUSED]);
    });
  });

  it('the role cannot make anything in its schema, act as the owner or read another schema (H1)', async () => {
    const other = services.find((each) => each.schema !== schema)?.schema ?? '';
    await withRole(schema, async (client) => {
      for (const sql of [
        'create table mine (id int)',
        'create temporary table mine (id int)',
        `create function mine() returns int language sql as 'select 1'`,
        'create schema mine',
        'set session_replication_role = replica',
        `set role ${schema}_owner`,
        `alter role ${schema}_owner login password 'mine'`,
        `select * from ${other}.outbox`,
        'select * from migrations',
      ])
        expect([sql, await client.query(sql).catch((e: unknown) => e)]).toMatchObject([sql, REFUSED]);
    });
  });

  it('the role can neither change nor delete what is history (H2)', async () => {
    const tables = await listTables(schema);
    const history = [...(HISTORY[schema] ?? []), ...tables.filter((name) => name === 'operator_actions')];
    await withRole(schema, async (client) => {
      for (const table of history) {
        await client.query(`select from ${table}`);
        const column = await findColumn(schema, table);
        for (const sql of [`update ${table} set ${column} = ${column}`, `delete from ${table}`])
          await expect(client.query(sql)).rejects.toMatchObject(REFUSED);
      }
    });
  });
});

it('the ledger cannot delete a row of its money state (H2)', async () => {
  await withRole('group_ledger', async (client) => {
    for (const table of MONEY) {
      await client.query(`update ${table} set id = id`);
      await expect(client.query(`delete from ${table}`)).rejects.toMatchObject(REFUSED);
    }
  });
});
