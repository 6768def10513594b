import type pg from 'pg';
import type { Statement } from './statement.ts';
import { encodeValues } from './value-types.ts';

export interface Queryable {
  /**
   * Runs one statement and returns its rows; rejects with `service_unavailable`, `conflict` or the server's
   * error.
   */
  query<Row>(s: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>;
}

/** The driver's form of a statement: named ones are prepared, parameters are exact. */
export function queryConfig(s: Statement, values: readonly unknown[] = []): pg.QueryConfig {
  const query = { text: s.text, values: encodeValues(values) };
  return s.name === '' ? query : { ...query, name: s.name };
}
