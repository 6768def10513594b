import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { DEFAULT_LOCK_POLICY, prepareIndex, retryWhileLocked, type LockPolicy } from './migration-locks.ts';
import { readMigrations, type MigrationFile } from './migration-files.ts';
import { ensureLogin, ensureOwner, ownerOf, setSessionDefaults } from './roles.ts';
import { ensureSchema, grantAccess, type SchemaRoles } from './schema-access.ts';
import { findSessionDefaults } from './session-defaults.ts';

export type MigrateOptions = {
  /** A connection that may make roles and schemas; services never have it. */
  url: string;
  schema: string;
  /** The role with which the service logs in. */
  role: string;
  password: string;
  directories: readonly string[];
  /** Left out outside tests. */
  locks?: LockPolicy;
};

/** One migration at a time per database, whatever the schema: they all change its access rights. */
const LOCK = `hashtextextended('gp migrations', 0)`;
const LOCK_POLL_MS = 50;

/**
 * Migrates a schema to its newest version as the role that owns it, and creates the role with which the service logs
 * in: it owns nothing, can enter no other schema, has the rights that the comments on the tables name, and its sessions begin
 * with the settings that the comment on the schema names. Files run in
 * the order of the directories, then of their numbers, each in its own transaction (or, with `--! no-transaction`, as
 * its single statement). A file that waits too long for a table is rolled back and tried again, so that no statement of
 * a service waits behind it for longer. Safe to run from several processes at once; throws, having changed nothing
 * more, when an applied file was edited or a new file is numbered before an applied one.
 */
export async function migrate(o: MigrateOptions): Promise<{ applied: string[] }> {
  const files = await readMigrations(o.directories);
  const client = new pg.Client({ connectionString: o.url, application_name: 'gp-migrate' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await takeLock(client);
    const locks = o.locks ?? DEFAULT_LOCK_POLICY;
    const roles = { schema: o.schema, owner: ownerOf(o.schema), role: o.role, locks };
    await ensureLogin(client, o.role, o.password, o.schema);
    await ensureOwner(client, roles.owner);
    await ensureSchema(client, roles);
    const pending = listPending(files, await readApplied(client, o.schema));
    for (const file of pending) await apply(client, roles, file);
    await grantAccess(client, roles);
    await setSessionDefaults(client, o.role, await findSessionDefaults(client, o.schema));
    return { applied: pending.map((file) => `${file.source}/${file.name}`) };
  } finally {
    await client.end();
  }
}

/**
 * Retries instead of waiting inside one statement, whose snapshot `create index concurrently` would wait for.
 */
async function takeLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${LOCK}) as taken`);
    if (rows[0]?.taken === true) return;
    await setTimeout(LOCK_POLL_MS);
  }
}

type Applied = { source: string; name: string; checksum: string };

async function readApplied(client: pg.Client, schema: string): Promise<Applied[]> {
  const table = `${client.escapeIdentifier(schema)}.migrations`;
  await client.query(
    `create table if not exists ${table} (
       source text not null, name text not null, checksum text not null,
       applied_at timestamptz not null default now(), primary key (source, name))`,
  );
  return (await client.query<Applied>(`select source, name, checksum from ${table}`)).rows;
}

/** Ignores applied files that are gone: an older release may start against a newer schema. */
function listPending(files: readonly MigrationFile[], applied: readonly Applied[]): MigrationFile[] {
  return files.filter((file) => {
    const ofSource = applied.filter((row) => row.source === file.source);
    const same = ofSource.find((row) => row.name === file.name);
    const title = `${file.source}/${file.name}`;
    if (same !== undefined && same.checksum !== file.checksum) {
      throw new Error(`migration ${title} was edited after it was applied: restore it and add a new file`);
    }
    const later = ofSource.find((row) => row.name > file.name);
    if (same === undefined && later !== undefined) {
      throw new Error(
        `migration ${title} is new but ${later.name} is already applied: give it a later number`,
      );
    }
    return same === undefined;
  });
}

/**
 * The schema's owner runs the SQL, so it owns the new objects and an unqualified name is its own. A function that
 * keeps the search path (`set search_path from current`) looks into temporary tables last.
 */
async function apply(client: pg.Client, o: SchemaRoles, file: MigrationFile): Promise<void> {
  const schema = client.escapeIdentifier(o.schema);
  const enter = `set role ${client.escapeIdentifier(o.owner)}; set search_path to ${schema}, pg_temp`;
  const record = `insert into ${schema}.migrations (source, name, checksum) values (
    ${client.escapeLiteral(file.source)}, ${client.escapeLiteral(file.name)}, ${client.escapeLiteral(file.checksum)})`;
  try {
    if (file.isTransactional) {
      await retryWhileLocked(client, o.locks, async (setLockTimeout) => {
        await client.query(`begin; ${setLockTimeout}; ${enter}`);
        await client.query(file.sql);
        await client.query(`reset role; ${record}; commit`);
      });
    } else {
      await client.query(enter);
      if ((await prepareIndex(client, o.schema, file.sql)) === 'missing') await client.query(file.sql);
      await client.query(`reset role; ${record}`);
    }
  } catch (e) {
    // Ending the connection rolls back and releases the lock.
    throw new Error(
      `migration ${file.source}/${file.name} failed: ${e instanceof Error ? e.message : String(e)}`,
      {
        cause: e,
      },
    );
  }
}
