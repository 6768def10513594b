import { text } from 'node:stream/consumers';
import pg from 'pg';

/** `node ask-postgres.ts`, in the space of the cluster: runs the statements of its input at POSTGRES_URL, and prints the rows of the last one as JSON. */
const client = new pg.Client({ connectionString: process.env['POSTGRES_URL'] });
await client.connect();
try {
  const answer: pg.QueryResult | pg.QueryResult[] = await client.query(await text(process.stdin));
  process.stdout.write(JSON.stringify((Array.isArray(answer) ? answer.at(-1) : answer)?.rows ?? []));
} finally {
  await client.end();
}
