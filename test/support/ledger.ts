import pg from 'pg';
import type { StackFile } from './stack.ts';

/** Reads from the ledger's database what no interface returns. */
export const askLedger = <T extends pg.QueryResultRow>(
  stack: StackFile,
  sql: string,
  values: readonly unknown[] = [],
): Promise<T[]> => askDatabase<T>(stack, 'group_ledger', sql, values);

/** The same of any service's schema. */
export async function askDatabase<T extends pg.QueryResultRow>(
  stack: StackFile,
  schema: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: stack.postgres });
  // A query that runs while the server dies rejects with the error; without a listener, this event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`set search_path to ${schema}`);
    return (await client.query<T>(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}
