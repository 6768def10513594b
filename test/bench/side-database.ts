import { join } from 'node:path';
import pg from 'pg';
import { ensureDatabase, migrate, ownerOf } from '@gp/pg';
import { root, type StackFile } from '../support/stack.ts';

const PASSWORD = 'bench';

/** A schema of the platform's in a database of its own on the stack's server. */
export type SideSchema = {
  /** For the schema's role. */
  readonly url: string;
  /** For the server's administrator. */
  readonly adminUrl: string;
  /** Runs statements as the schema's owner, in one transaction. */
  asOwner(...statements: readonly string[]): Promise<void>;
};

/** Opens a schema beside the stack: the same server, the same settings, and no service that works on what a measure writes. */
export async function openSideSchema(
  stack: StackFile,
  o: { readonly database: string; readonly schema: string; readonly migrations: readonly string[] },
): Promise<SideSchema> {
  const { database, schema } = o;
  const admin = await ensureDatabase(stack.postgres, database);
  const role = `bench_${database}`;
  const directories = ['libs/outbox/migrations', ...o.migrations].map((path) => join(root, path));
  await migrate({ url: admin, schema, role, password: PASSWORD, directories });
  const url = new URL(admin);
  url.username = role;
  url.password = PASSWORD;
  return {
    url: url.href,
    adminUrl: admin,
    async asOwner(...statements) {
      const client = new pg.Client({ connectionString: admin });
      await client.connect();
      await client.query(`set role ${ownerOf(schema)}; set search_path to ${schema}`);
      await client.query(['begin', ...statements, 'commit'].join(';'));
      await client.end();
    },
  };
}

/** A database with the ledger's schema. */
export type SideDatabase = {
  readonly url: string;
  readonly adminUrl: string;
  empty(): Promise<void>;
};

/** Opens a side database with the ledger's schema. */
export async function openSideDatabase(stack: StackFile, database: string): Promise<SideDatabase> {
  const migrations = ['services/group-ledger/migrations'];
  const { url, adminUrl, asOwner } = await openSideSchema(stack, {
    database,
    schema: 'group_ledger',
    migrations,
  });
  return {
    url,
    adminUrl,
    // A peer may still be writing what its load generator no longer waits for: one lock for all, then the rows.
    empty: () =>
      asOwner(
        'lock table commands, groups, slots, outbox in access exclusive mode',
        'truncate groups, slots, commands, outbox cascade',
      ),
  };
}
