import { databaseUrl, type SchemaSource } from './templates.ts';

/** A database of this test file's own, already migrated. */
export type TestDatabase = {
  readonly adminUrl: string;
  /** The connection of a schema's own role, as its service would be given it. */
  url(schema: string): string;
  /** Ends every session of the database and removes it. */
  drop(): Promise<void>;
};

/** The superuser's connection to the one Postgres all test files of a run share. */
export async function testPostgres(): Promise<{ adminUrl: string }> {
  return { adminUrl: (await ask('/postgres', {})).adminUrl };
}

/** Gives a fresh database with these schemas migrated, cloned from a template in some 30 ms. */
export async function testDatabase(o: { schemas: readonly SchemaSource[] }): Promise<TestDatabase> {
  const { adminUrl, database = '' } = await ask('/clone', o);
  return {
    adminUrl: databaseUrl(adminUrl, database),
    url: (schema) => databaseUrl(adminUrl, database, schema),
    drop: async () => {
      await ask('/drop', { database });
    },
  };
}

async function ask(path: string, question: object): Promise<{ adminUrl: string; database?: string }> {
  const desk = process.env['GP_TEST_SERVERS'];
  if (!desk) throw new Error('No test run is on: GP_TEST_SERVERS is set by the jest configuration.');
  const response = await fetch(desk + path, { method: 'POST', body: JSON.stringify(question) });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as { adminUrl: string; database?: string };
}
