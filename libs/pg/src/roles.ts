import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type pg from 'pg';

/** Roles belong to the whole server: a migration of another database may be changing the same row right now. */
const RACE_STATES = new Set(['23505', '42710', 'XX000']);
const RACE_ATTEMPTS = 20;

/** Returns the name of the role that owns a schema and all of its tables. Nobody logs in with it. */
export const ownerOf = (schema: string): string => `${schema}_owner`;

/** Creates or updates the login role: its password, and the one schema its unqualified names resolve to. */
export async function ensureLogin(
  client: pg.Client,
  role: string,
  password: string,
  schema: string,
): Promise<void> {
  const name = client.escapeIdentifier(role);
  await ensureRole(client, role);
  const verifier = client.escapeLiteral(scramVerifier(password));
  await outlastRaces(() => client.query(`alter role ${name} login password ${verifier}`));
  await outlastRaces(() =>
    client.query(`alter role ${name} set search_path to ${client.escapeIdentifier(schema)}`),
  );
}

/** Sets the settings with which each later session of the role begins. */
export async function setSessionDefaults(
  client: pg.Client,
  role: string,
  defaults: Readonly<Record<string, string | number>>,
): Promise<void> {
  const name = client.escapeIdentifier(role);
  for (const [setting, value] of Object.entries(defaults)) {
    const literal = client.escapeLiteral(String(value));
    await outlastRaces(() =>
      client.query(`alter role ${name} set ${client.escapeIdentifier(setting)} = ${literal}`),
    );
  }
}

/** Creates the role that owns the schema, and lets the migrations act as it. */
export async function ensureOwner(client: pg.Client, owner: string): Promise<void> {
  await ensureRole(client, owner);
  await joinRole(client, owner);
}

/** Lets the connection's user act as the role. A superuser needs no such right. */
export async function joinRole(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<{ is_superuser: boolean }>(
    'select rolsuper as is_superuser from pg_roles where rolname = current_user',
  );
  if (rows[0]?.is_superuser === true) return;
  const name = client.escapeIdentifier(role);
  await outlastRaces(() => client.query(`grant ${name} to current_user with set true, inherit true`));
}

async function ensureRole(client: pg.Client, role: string): Promise<void> {
  const found = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  if (found.rowCount !== 0) return;
  await outlastRaces(() => client.query(`create role ${client.escapeIdentifier(role)}`), '42710');
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
