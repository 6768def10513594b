import type { Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

/**
 * Returns how far a merchant's clock is ahead, as an SQL interval, for statements that depend on that time; zero
 * in live mode whatever the table holds (S9). The arguments are SQL: columns or parameters.
 */
export const sqlAhead = (merchantId: string, mode: string): string =>
  `coalesce((select clock.ahead from test_clocks clock where clock.merchant_id = ${merchantId} and ${mode} = 'test'), interval '0')`;

const find = statement<{ ahead_ms: number }>(
  'test-clock.find',
  `select (extract(epoch from ahead) * 1000)::float8 as ahead_ms from test_clocks where merchant_id = $1`,
);

// Its lock serialises the moves of one merchant, the first one included.
const ensure = statement(
  'test-clock.ensure',
  `insert into test_clocks (merchant_id, ahead, revision) values ($1, '0', 0) on conflict do nothing`,
);

const move = statement<{ by_ms: number }>(
  'test-clock.move',
  `update test_clocks clock set ahead = make_interval(secs => $2::float8 / 1000), revision = $3
   from (select ahead from test_clocks where merchant_id = $1 for update) before
   where clock.merchant_id = $1 and clock.revision < $3
   returning (extract(epoch from clock.ahead - before.ahead) * 1000)::float8 as by_ms`,
);

/** Returns how far a merchant's clock is ahead, ms. Live mode has none and is not looked up. */
export async function aheadMs(db: Queryable, scope: { merchantId: string; mode: Mode }): Promise<number> {
  if (scope.mode !== 'test') return 0;
  const [row] = await db.query(find, [scope.merchantId]);
  return row?.ahead_ms ?? 0;
}

/**
 * Stores a move; returns by how many ms the clock moved, or undefined when this or a later move was stored
 * already. Call it in a transaction.
 */
export async function moveClock(
  tx: Queryable,
  o: { merchantId: string; aheadMs: number; revision: number },
): Promise<number | undefined> {
  await tx.query(ensure, [o.merchantId]);
  const [row] = await tx.query(move, [o.merchantId, o.aheadMs, o.revision]);
  return row?.by_ms;
}
