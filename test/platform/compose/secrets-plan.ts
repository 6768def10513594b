import { busPermissions, toKeySetting } from '@gp/stack';
import { processes } from '../processes.ts';
import { findProcess } from './quick-start.ts';

type Plan = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The user of the database that makes roles and schemas. */
export const ADMIN = 'payments_admin';
export const DATABASE = 'payments';

/** Identities that the server admits beside those in use: during a rotation those before, else some that nobody has. */
const PREVIOUS = 'previous-identities';
const names = Object.keys(processes);

/** The name of the container that has this identity on the bus: of the tasks only one uses it. */
const findHolder = (identity: string): string => (identity === 'installation' ? 'streams' : identity);

/**
 * Describes what each container's secret settings are made of, for services/installation/src/make-secret-files.ts. No two
 * containers have one in common unless they need it both.
 */
export function buildSecretsPlan(): Plan {
  const programs: Plan = {
    ...Object.fromEntries(names.map((name) => [name, describeProcess(name)])),
    streams: { NATS_NKEY_SEED: 'seed' },
  };
  const identities = Object.keys(busPermissions);
  const people = identities.filter((identity) => !(findHolder(identity) in programs));
  return {
    postgres: { POSTGRES_PASSWORD: 'password' },
    ...programs,
    ...Object.fromEntries(people.map((name) => [name, describePerson(name)])),
    [PREVIOUS]: Object.fromEntries(identities.map((name) => [toKeySetting(name), 'seed'])),
    nats: Object.fromEntries(
      identities.flatMap((name) => [
        [toKeySetting(name), `public-key:${findHolder(name)}/NATS_NKEY_SEED`],
        [`${toKeySetting(name)}_PREVIOUS`, `public-key:${PREVIOUS}/${toKeySetting(name)}`],
      ]),
    ),
    ...Object.fromEntries(names.map((name) => [`migrate-${name}`, describeMigration(name)])),
  };
}

function describeProcess(name: string) {
  return {
    PGPASSWORD: 'password',
    NATS_NKEY_SEED: 'seed',
    ...(name === 'group-ledger' && { FIRST_OPERATOR: 'first-operator:operator/OPERATOR_KEY' }),
    ...(findProcess(name).seals && { ENCRYPTION_KEY: 'key' }),
    ...Object.fromEntries(listKeys(name).map((key) => [key, describeKey(name, key)])),
  };
}

/** The trial has one operator, whose key only that container has. */
function describePerson(name: string) {
  return { NATS_NKEY_SEED: 'seed', ...(name === 'operator' && { OPERATOR_KEY: 'operator-key' }) };
}

function listKeys(name: string): readonly string[] {
  const { keys = [], keysForSandbox = [] } = findProcess(name);
  return [...keys, ...keysForSandbox];
}

/** Processes that share a key get that of the first of them. */
function describeKey(name: string, key: string): string {
  const owner = names.find((other) => listKeys(other).includes(key)) ?? name;
  if (owner !== name) return `{${owner}/${key}}`;
  return key === 'SANDBOX_CONTROL_TOKEN' ? 'password' : 'key';
}

function describeMigration(name: string) {
  return {
    ADMIN_DATABASE_URL: `postgres://${ADMIN}:{postgres/POSTGRES_PASSWORD}@postgres:5432/${DATABASE}`,
    ROLE_PASSWORD: `{${name}/PGPASSWORD}`,
  };
}
