import { outboxMigrations } from '@gp/outbox';
import { openPg, type Db } from '@gp/pg';
import { testDatabase } from '@gp/testing';
import { gatewayMigrations } from '../../src/index.ts';

export type GatewayDatabase = {
  readonly db: Db;
  asOwner(sql: string): Promise<unknown>;
  close(): Promise<void>;
};

/** Opens a separate database with the tables of an adapter. */
export async function openGatewayDatabase(): Promise<GatewayDatabase> {
  const database = await testDatabase({
    schemas: [{ schema: 'gateway', directories: [outboxMigrations, gatewayMigrations] }],
  });
  const db = await openPg({ url: database.url('gateway'), name: 'test', max: 2, connectTimeoutMs: 30_000 });
  return {
    db,
    asOwner: (sql) => database.asOwner('gateway', sql),
    async close() {
      await db.close();
      await database.drop();
    },
  };
}
