import { openPg, type Db, type PgOptions } from '@gp/pg';

/** Longer than a busy machine stalls, shorter than a test may take. */
const PATIENCE_MS = 60_000;

/**
 * Opens a pool for a test that acts as a service in its own process. It waits where a service would rather fail
 * with `service_unavailable`, so that a machine that stalls for some seconds does not look like a database that is
 * away; a database that is away still fails at once.
 */
export function patientPg(o: PgOptions): Promise<Db> {
  return openPg({ connectTimeoutMs: PATIENCE_MS, statementTimeoutMs: PATIENCE_MS, ...o });
}
