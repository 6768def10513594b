import { join } from 'node:path';
import pg from 'pg';
import { ensureDatabase, migrate, ownerOf } from '@gp/pg';
import { root, type StackFile } from '../support/stack.ts';

const PASSWORD = 'bench';

/**
 * A second database on the stack's own server with the ledger's schema: the same server, the same settings, and no
 * service that works on what a reference writes.
 */
export async function openSideDatabase(
  stack: StackFile,
  name: string,
): Promise<{ url: string; empty(): Promise<void> }> {
  const admin = await ensureDatabase(stack.postgres, name);
  const directories = ['libs/outbox/migrations', 'services/group-ledger/migrations'].map((path) =>
    join(root, path),
  );
  const role = `bench_${name}`;
  await migrate({ url: admin, schema: 'group_ledger', role, password: PASSWORD, directories });
  const url = new URL(admin);
  url.username = role;
  url.password = PASSWORD;
  return {
    url: url.href,
    async empty() {
      const client = new pg.Client({ connectionString: admin });
      await client.connect();
      await client.query(`set role ${ownerOf('group_ledger')}; set search_path to group_ledger`);
      // A peer may still be writing what its load generator no longer waits for: one lock for all, then the rows.
      await client.query('begin');
      await client.query('lock table commands, groups, slots, outbox in access exclusive mode');
      await client.query('truncate groups, slots, commands, outbox cascade');
      await client.query('commit');
      await client.end();
    },
  };
}
