import { openPg, type Db, type PgOptions } from '@gp/pg';

/** Longer than a machine stalls that somebody else keeps busy, shorter than a test may take. */
const PATIENCE_MS = 60_000;

/**
 * A pool for a test that plays a service in its own process. It waits where a service would rather answer
 * `service_unavailable`, so that a machine that stalls for some seconds is not taken for a database that is away; one
 * that is away still says so at once.
 */
export function patientPg(o: PgOptions): Promise<Db> {
  return openPg({ connectTimeoutMs: PATIENCE_MS, statementTimeoutMs: PATIENCE_MS, ...o });
}
