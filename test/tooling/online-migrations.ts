import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type pg from 'pg';

/** A migration by its source and name, and why services would wait for it. */
export type Offence = { readonly file: string; readonly reason: string };

const CONCURRENT =
  /^(create\s+(unique\s+)?index\s+concurrently|drop\s+index\s+concurrently|reindex\s+\w+\s+concurrently)\s[^;]*;?$/i;

/** Locks under which a service can read and write; `validate constraint` takes the last one. */
const HARMLESS = ['AccessShareLock', 'RowShareLock', 'ShareUpdateExclusiveLock'];
/** A row that is changed is locked until the end, so a change of all rows is not harmless; a single one is. */
const WRITABLE = [...HARMLESS, 'RowExclusiveLock'];

type Use = { readonly table: string; readonly scans: number; readonly modes: readonly string[] };

/**
 * Applies the migrations of these directories to a new schema, in order, and returns those that would make services wait in
 * a database with data. Postgres itself is the judge: it counts the scans of tables that existed before, which every
 * rewrite, check and build of an index makes even of an empty table, and lists the locks that are held at the end.
 */
export async function listOffences(
  client: pg.Client,
  schema: string,
  directories: readonly string[],
): Promise<Offence[]> {
  await client.query(`create schema ${schema}; set search_path to ${schema}`);
  const offences: Offence[] = [];
  for (const { file, sql } of await readFiles(directories)) {
    const reasons = /^--! *no-transaction *$/m.test(sql)
      ? await judgeStatement(client, sql)
      : await judgeTransaction(client, schema, sql);
    offences.push(...reasons.map((reason) => ({ file, reason })));
  }
  return offences;
}

async function readFiles(directories: readonly string[]): Promise<{ file: string; sql: string }[]> {
  const read = directories.map(async (directory) => {
    const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
    const source = basename(dirname(resolve(directory)));
    return Promise.all(
      names.map(async (name) => ({
        file: `${source}/${name}`,
        sql: await readFile(join(directory, name), 'utf8'),
      })),
    );
  });
  return (await Promise.all(read)).flat();
}

/** Outside a transaction no lock is given up after a time, so only statements that let services write may be there. */
async function judgeStatement(client: pg.Client, sql: string): Promise<string[]> {
  await client.query(sql);
  const statement = sql.replaceAll(/--.*$/gm, '').trim();
  return CONCURRENT.test(statement)
    ? []
    : ['runs outside a transaction and is not one statement with "concurrently"'];
}

async function judgeTransaction(client: pg.Client, schema: string, sql: string): Promise<string[]> {
  await client.query('begin');
  const before = await readUses(client, schema);
  await client.query(sql);
  const after = await readUses(client, schema);
  await client.query('commit');
  const existing = before.flatMap(({ table, scans }) => {
    const use = after.find((each) => each.table === table);
    return use ? [{ ...use, scans: use.scans - scans }] : [];
  });
  const blocked = existing.filter(({ modes }) => modes.some((mode) => !WRITABLE.includes(mode)));
  return [
    ...existing
      .filter(({ scans, modes }) => scans > 0 && modes.some((mode) => !HARMLESS.includes(mode)))
      .map(({ table }) => `reads all of ${table} while services wait`),
    ...(blocked.length > 1
      ? [`keeps ${blocked.map(({ table }) => table).join(' and ')} locked at once`]
      : []),
  ];
}

async function readUses(client: pg.Client, schema: string): Promise<Use[]> {
  const { rows } = await client.query<Use>(
    `select c.oid::text as id, c.relname as table, coalesce(pg_stat_get_xact_numscans(c.oid), 0)::int as scans,
            array(select l.mode from pg_locks l where l.relation = c.oid and l.pid = pg_backend_pid() and l.granted) as modes
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind in ('r', 'p') order by c.relname`,
    [schema],
  );
  return rows;
}
