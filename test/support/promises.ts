import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { root, type StackFile } from './stack.ts';

/** Asks the ledger's database for every promise of the platform that is broken for any group; none, it should be. */
export async function brokenPromises(stack: StackFile): Promise<unknown[]> {
  const query = await readFile(join(root, 'services/group-ledger/invariants.sql'), 'utf8');
  const client = new pg.Client({ connectionString: stack.postgres });
  await client.connect();
  try {
    await client.query('set search_path to group_ledger');
    const { rows } = await client.query<{ groups: string }>('select count(*) as groups from groups');
    if (Number(rows[0]?.groups) === 0) throw new Error('there is no group to keep promises about');
    return (await client.query<Record<string, unknown>>(query)).rows;
  } finally {
    await client.end();
  }
}
