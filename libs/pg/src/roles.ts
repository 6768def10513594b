import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type pg from 'pg';

/** Roles belong to the whole server: a migration of another database may be changing the same row right now. */
const RACE_STATES = new Set(['23505', '42710', 'XX000']);
const RACE_ATTEMPTS = 20;

/** Creates or updates the login role: its password, and the one schema its unqualified names resolve to. */
export async function ensureRole(
  client: pg.Client,
  role: string,
  password: string,
  schema: string,
): Promise<void> {
  const name = client.escapeIdentifier(role);
  const found = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  if (found.rowCount === 0) await outlastRaces(() => client.query(`create role ${name}`), '42710');
  const verifier = client.escapeLiteral(scramVerifier(password));
  await outlastRaces(() => client.query(`alter role ${name} login password ${verifier}`));
  await outlastRaces(() =>
    client.query(`alter role ${name} set search_path to ${client.escapeIdentifier(schema)}`),
  );
}

/** Makes the role the owner of the schema and revokes all rights that Postgres grants to PUBLIC by default. */
export async function ensureSchema(client: pg.Client, schema: string, role: string): Promise<void> {
  const name = client.escapeIdentifier(schema);
  const owner = client.escapeIdentifier(role);
  const { rows } = await client.query<{ database: string; is_superuser: boolean }>(
    `select current_database() as database, rolsuper as is_superuser from pg_roles where rolname = current_user`,
  );
  const database = client.escapeIdentifier(rows[0]?.database ?? '');
  // Only a member of a role may make it the owner of a schema; a superuser is a member of all.
  if (rows[0]?.is_superuser === false)
    await client.query(`grant ${owner} to current_user with set true, inherit true`);
  await client.query(`create schema if not exists ${name} authorization ${owner}`);
  await client.query(`revoke all on schema ${name} from public; revoke all on schema public from public`);
  await client.query(
    `revoke all on database ${database} from public; grant connect on database ${database} to ${owner}`,
  );
}

async function outlastRaces(change: () => Promise<unknown>, fineWhen?: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await change();
      return;
    } catch (e) {
      const state = (e as { code?: string }).code ?? '';
      if (state === fineWhen) return;
      if (!RACE_STATES.has(state) || attempt === RACE_ATTEMPTS) throw e;
    }
  }
}

/**
 * Returns the form in which Postgres stores a password; it is sent instead of the password, so that no statement
 * log can hold the secret.
 */
function scramVerifier(password: string): string {
  const iterations = 4096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const deriveKey = (label: string): Buffer => createHmac('sha256', salted).update(label).digest();
  const storedKey = createHash('sha256').update(deriveKey('Client Key')).digest('base64');
  const serverKey = deriveKey('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
