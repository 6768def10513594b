import type pg from 'pg';

/** Longer than any statement we write takes, shorter than a caller's patience. */
export const STATEMENT_TIMEOUT_MS = 5_000;

/**
 * The settings with which each session of a service's role begins. They belong to the role: a pooler in transaction mode
 * lends sessions that it opened itself, so a service can set nothing in them.
 */
const EVERYWHERE: Readonly<Record<string, string | number>> = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  // A transaction whose process froze must not hold a group's row lock.
  idle_in_transaction_session_timeout: 2 * STATEMENT_TIMEOUT_MS,
  // Our statements read a few rows. Where the planner expects many, compiling takes hundreds of milliseconds and saves none.
  jit: 'off',
};

/** Further ones, by the comment on the schema, which a migration writes. */
const BY_COMMENT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // For large statements that read by indexes alone: planning them each time would take longer than running them.
  'plans once': { plan_cache_mode: 'force_generic_plan' },
};

/** Returns the settings with which the sessions of the schema's service begin; throws when the schema's comment is not known. */
export async function findSessionDefaults(
  client: pg.Client,
  schema: string,
): Promise<Readonly<Record<string, string | number>>> {
  const { rows } = await client.query<{ comment: string | null }>(
    `select obj_description(to_regnamespace($1), 'pg_namespace') as comment`,
    [client.escapeIdentifier(schema)],
  );
  const comment = rows[0]?.comment ?? null;
  if (comment === null) return EVERYWHERE;
  const further = Object.hasOwn(BY_COMMENT, comment) ? BY_COMMENT[comment] : undefined;
  if (further === undefined)
    throw new Error(`the comment on schema ${schema} must be one of: ${Object.keys(BY_COMMENT).join(', ')}`);
  return { ...EVERYWHERE, ...further };
}
