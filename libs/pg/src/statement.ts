/** SQL with the row type it returns. A non-empty name makes it a prepared statement on every connection. */
export type Statement<Row = unknown> = { readonly name: string; readonly text: string; readonly __row?: Row };

/** Postgres silently truncates longer names, after which two statements could share one plan. */
const MAX_NAME_LENGTH = 63;

const textByName = new Map<string, string>();

/**
 * Declares a prepared statement: parsed and planned once per connection, then only bound and executed. Declare
 * at module level; throws when the name is unusable or already belongs to other SQL.
 */
export function statement<Row>(name: string, text: string): Statement<Row> {
  if (name === '' || name.length > MAX_NAME_LENGTH) {
    throw new Error(`statement name "${name}" must have 1 to ${MAX_NAME_LENGTH} characters`);
  }
  const known = textByName.get(name);
  if (known !== undefined && known !== text) throw new Error(`two statements are called "${name}"`);
  textByName.set(name, text);
  return { name, text };
}

/**
 * Declares a statement that is parsed each time it runs: for DDL and rare operator queries, never for a hot
 * path.
 */
export function unprepared<Row>(text: string): Statement<Row> {
  return { name: '', text };
}
