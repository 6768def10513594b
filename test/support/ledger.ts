import pg from 'pg';
import type { StackFile } from './stack.ts';

/** Asks the ledger's database what no interface tells. */
export async function askLedger<T extends pg.QueryResultRow>(
  stack: StackFile,
  sql: string,
  values: readonly unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: stack.postgres });
  await client.connect();
  try {
    await client.query('set search_path to group_ledger');
    return (await client.query<T>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}
