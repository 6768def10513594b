import type { Db } from '@gp/pg';
import { openReplica, createCommand, connection } from './harness.ts';

const BATCH = 32;
const ROUNDS = 40;
const SLOTS = 5;

/** Cost of a create, counted and not timed: the same on every machine. */
export type CreateCost = {
  readonly statementsPerBatch: number;
  readonly roundTripsPerCreate: number;
  readonly walBytesPerCreate: number;
};

/**
 * Measures creates of five slots in batches of 32, the way they come from the bus. The server must write no full-page
 * images and have no other writer: both would be counted.
 */
export async function measureCreates(o: { url: string; admin: Db }): Promise<CreateCost> {
  const ledger = await openReplica(o.url);
  const counted = countStatements(ledger.db);
  const distribution = { type: 'equally' as const, number_of_slots: SLOTS };
  const round = () =>
    Promise.all(Array.from({ length: BATCH }, () => ledger.create(createCommand({ distribution }))));
  try {
    await ledger.note(connection());
    // The first round plans the statement and reads the catalogue.
    await round();
    await o.admin.pool.query('checkpoint');
    const [from, statementsBefore] = [await walPosition(o.admin), counted.statements];
    for (let n = 0; n < ROUNDS; n++) await round();
    const statements = counted.statements - statementsBefore;
    const creates = BATCH * ROUNDS;
    return {
      statementsPerBatch: statements / ROUNDS,
      roundTripsPerCreate: statements / creates,
      walBytesPerCreate: Math.round(((await walPosition(o.admin)) - from) / creates),
    };
  } finally {
    await ledger.db.close();
  }
}

/** Every statement of ours is named and sent as one message, so a statement is a round trip. */
function countStatements(db: Db): { readonly statements: number } {
  const counted = { statements: 0 };
  db.pool.on('acquire', () => (counted.statements += 1));
  return counted;
}

async function walPosition(admin: Db): Promise<number> {
  const { rows } = await admin.pool.query<{ bytes: string }>(
    `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`,
  );
  return Number(rows[0]?.bytes);
}
