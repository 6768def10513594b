import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';

/** How a migration waits for tables that are in use. */
export type LockPolicy = {
  /** Longest wait for one lock, ms: a statement of a service that queues behind the migration waits no longer. */
  readonly timeoutMs: number;
  /** Pause before the next try, ms: enough for the queue to drain. */
  readonly pauseMs: number;
  /** How long to go on trying, ms. */
  readonly patienceMs: number;
};

/** A service's statement may take 5 s, and the job that migrates has 280 s, in which it must still report the lock. */
export const DEFAULT_LOCK_POLICY: LockPolicy = { timeoutMs: 1_000, pauseMs: 1_000, patienceMs: 240_000 };

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';

/** Runs a transaction of the client, again and again while it does not get its locks in time. */
export async function retryWhileLocked(
  client: pg.Client,
  { timeoutMs, pauseMs, patienceMs }: LockPolicy,
  run: (setLockTimeout: string) => Promise<void>,
): Promise<void> {
  for (const giveUpAt = performance.now() + patienceMs; ; await setTimeout(pauseMs)) {
    try {
      return await run(`set local lock_timeout = ${timeoutMs}`);
    } catch (error) {
      if (!isLocked(error) || performance.now() > giveUpAt) throw error;
      await client.query('rollback');
    }
  }
}

function isLocked(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === LOCK_NOT_AVAILABLE || code === DEADLOCK_DETECTED;
}

const CONCURRENT_INDEX = /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?(\w+)/i;

/**
 * Looks for the index that the statement builds concurrently. A build that was interrupted leaves an invalid index, which
 * is dropped; one that ended just before its process died is `built`. Other statements build none: `missing`.
 */
export async function prepareIndex(
  client: pg.Client,
  schema: string,
  sql: string,
): Promise<'missing' | 'built'> {
  const name = CONCURRENT_INDEX.exec(sql)?.[1];
  if (name === undefined) return 'missing';
  const { rows } = await client.query<{ is_valid: boolean }>(
    `select i.indisvalid as is_valid from pg_index i
     join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relname = $2`,
    [schema, name.toLowerCase()],
  );
  if (rows[0]?.is_valid === true) return 'built';
  if (rows[0]) await client.query(`drop index concurrently ${client.escapeIdentifier(name.toLowerCase())}`);
  return 'missing';
}
