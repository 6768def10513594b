import pg from 'pg';
import { askTestServers } from './ask-test-servers.ts';
import { databaseUrl, ownerUrl, type SchemaSource } from './templates.ts';

/** A database of this test file alone, already migrated. */
export type TestDatabase = {
  readonly adminUrl: string;
  /** Returns the connection URL of a schema's own role, as its service would get it. */
  url(schema: string): string;
  /** Returns a connection URL whose session acts as the owner of a schema. */
  ownerUrl(schema: string): string;
  /** Runs SQL as the owner of a schema, for what a test arranges and no service may do; returns the rows. */
  asOwner<Row>(schema: string, sql: string): Promise<Row[]>;
  /** Ends every session of the database and removes it. */
  drop(): Promise<void>;
};

/** Returns the superuser's connection to the one Postgres that all test files of a run share. */
export async function testPostgres(): Promise<{ adminUrl: string }> {
  return { adminUrl: (await askTestServers<{ adminUrl: string }>('/postgres', {})).adminUrl };
}

/** Creates a fresh database with these schemas migrated, cloned from a template in some 30 ms. */
export async function testDatabase(o: { schemas: readonly SchemaSource[] }): Promise<TestDatabase> {
  const { adminUrl, database } = await askTestServers<{ adminUrl: string; database: string }>('/clone', o);
  const owners = new Map<string, Promise<pg.Client>>();
  const connectAs = (schema: string): Promise<pg.Client> => {
    const known = owners.get(schema) ?? connect(ownerUrl(adminUrl, database, schema));
    owners.set(schema, known);
    return known;
  };
  return {
    adminUrl: databaseUrl(adminUrl, database),
    url: (schema) => databaseUrl(adminUrl, database, schema),
    ownerUrl: (schema) => ownerUrl(adminUrl, database, schema),
    asOwner: async <Row>(schema: string, sql: string) =>
      (await (await connectAs(schema)).query(sql)).rows as Row[],
    drop: async () => {
      for (const client of owners.values()) await (await client).end();
      await askTestServers('/drop', { database });
    },
  };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
