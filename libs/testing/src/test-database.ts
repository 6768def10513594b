import { askTestServers } from './ask-test-servers.ts';
import { databaseUrl, type SchemaSource } from './templates.ts';

/** A database of this test file alone, already migrated. */
export type TestDatabase = {
  readonly adminUrl: string;
  /** Returns the connection URL of a schema's own role, as its service would get it. */
  url(schema: string): string;
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
  return {
    adminUrl: databaseUrl(adminUrl, database),
    url: (schema) => databaseUrl(adminUrl, database, schema),
    drop: async () => {
      await askTestServers('/drop', { database });
    },
  };
}
