import pg from 'pg';
import type { StackFile } from '../../support/stack.ts';
import { GROUP_TABLES } from './group-copies.ts';

/** The first copy is this old; the others follow evenly until now. */
const OLDEST_DAYS = 300;
/** One of so many groups is open, so that a timer waits for its end. */
const OPEN_EVERY = 100;

/** The customer of a group is not copied: a regular pays again and again. */
const SHARED = ['assigned_customer_id', 'customer_id'];

/** The id of the row that copy `n` of a row has: of its own time, as the service makes ids, and the same wherever it is named. */
function copyId(id: string): string {
  const digits = `md5(${id}::text || c.n)`;
  return `(c.instant || '7' || substr(${digits}, 1, 3) || '8' || substr(${digits}, 4, 15))::uuid`;
}

/**
 * Copies everything that the ledger keeps of one paid group until there are `to` groups, `from` of which are there; a
 * hundredth of them get a timer of the scheduler, as open groups have one. Only a measure may do this, while the ledger is
 * stopped: no service knows.
 */
export async function growBooks(
  stack: StackFile,
  groupId: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const client = new pg.Client({ connectionString: stack.postgres });
  await client.connect();
  try {
    // References are not checked, and indexes are built when all rows are there.
    await client.query(`set session_replication_role = replica; set maintenance_work_mem = '1GB'`);
    for (const table of GROUP_TABLES) {
      const key = table === 'groups' ? 'id' : 'group_id';
      await client.query(
        `create temp table original as select * from group_ledger.${table} where ${key} = '${groupId}'`,
      );
      await client.query(KEEP_NO_INDEX, [`group_ledger.${table}`]);
      await client.query(await copyStatement(client, table), [from + 1, to]);
      await client.query(`drop table original; reindex table group_ledger.${table}`);
      await client.query(`vacuum analyze group_ledger.${table}`);
    }
    await client.query(ARM, [from + 1, to, OPEN_EVERY]);
    await client.query('vacuum analyze scheduler.timers');
    await client.query(COUNT_AGAIN);
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/** Inserts leave the indexes of a table alone until they are built again. */
const KEEP_NO_INDEX = `update pg_index set indisready = false, indisvalid = false where indrelid = $1::regclass`;

/** Has the ledger count the days that the copies were moved to. */
const COUNT_AGAIN = `begin; truncate group_ledger.group_counts;
  update group_ledger.group_counts_end set end_day = '-infinity'; commit`;

const ARM = `insert into scheduler.timers (owner, key, revision, state, kind, due_at, data, merchant_id, mode)
  select 'ledger', 'growth ' || n, 1, 'armed', 'group_expiry', now() + interval '6 days', '{}', 'growth', 'test'
  from generate_series($1::bigint, $2::bigint, $3::bigint) as n on conflict do nothing`;

/** `insert … select` of one table from its rows of the one group: ids are those of the copy, times are moved back, and what must be unique is the copy's own. */
async function copyStatement(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select column_name as name, udt_name as type from information_schema.columns
     where table_schema = 'group_ledger' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  );
  const values = rows.map(({ name, type }) => copyValue(table, name, type));
  return `insert into group_ledger.${table} (${rows.map(({ name }) => `"${name}"`).join(', ')})
    select ${values.join(', ')} from original t,
      (select n, at, lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') as instant
       from (select n, now() - make_interval(secs => ${OLDEST_DAYS * 86_400} * (1 - n::float8 / $2)) as at
             from generate_series($1::bigint, $2::bigint) as n) as copies) as c`;
}

function copyValue(table: string, name: string, type: string): string {
  if (table === 'groups' && name === 'page_token') return `md5(t.page_token || c.n)`;
  if (table === 'groups' && name === 'merchant_order_id') return `t.merchant_order_id || '-' || c.n`;
  if (type === 'uuid' && !SHARED.includes(name)) return copyId(`t."${name}"`);
  if (type === '_uuid') return `array(select ${copyId('id')} from unnest(t."${name}") as id)`;
  if (type === 'timestamptz') return `t."${name}" - (now() - c.at)`;
  return `t."${name}"`;
}
