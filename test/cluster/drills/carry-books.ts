import pg from 'pg';

/**
 * `node carry-books.ts`, in the space of the cluster: replaces the sandbox's tables in the Postgres at TO by those at FROM. The sandbox stands for
 * the gateways, whose books no loss of the platform touches.
 */
const SCHEMA = 'psp_sandbox';
const from = new pg.Client({ connectionString: process.env['FROM'] });
const to = new pg.Client({ connectionString: process.env['TO'] });
await Promise.all([from.connect(), to.connect()]);
try {
  await to.query('begin');
  // Rows come in the order of the tables, not of their references.
  await to.query('set local session_replication_role = replica');
  for (const table of await listTables()) await carry(`${SCHEMA}.${table}`);
  await to.query('commit');
} finally {
  await Promise.all([from.end(), to.end()]);
}

async function listTables(): Promise<readonly string[]> {
  const sql = `select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = '${SCHEMA}'::regnamespace`;
  return (await to.query<{ name: string }>(sql)).rows.map(({ name }) => name);
}

async function carry(table: string): Promise<void> {
  const { rows } = await from.query<{ row: string }>(`select to_json(t)::text as row from ${table} t`);
  await to.query(`delete from ${table}`);
  const list = `[${rows.map(({ row }) => row).join()}]`;
  await to.query(
    `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`,
    [list],
  );
  const sql = `select attname as name from pg_attribute where attrelid = '${table}'::regclass and attidentity <> ''`;
  for (const { name } of (await to.query<{ name: string }>(sql)).rows)
    await to.query(
      `select setval(pg_get_serial_sequence('${table}', '${name}'), (select coalesce(max("${name}"), 0) + 1 from ${table}), false)`,
    );
}
