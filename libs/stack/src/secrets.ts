import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createIdentity, createOperatorKey } from '@gp/bus';
import { busPermissions } from './identities.ts';
import { writePrivate } from './write-private.ts';

/** Secrets of one embedded stack: created once, stored beside its data, never printed. */
export type Secrets = {
  readonly postgres: string;
  readonly roles: Readonly<Record<string, string>>;
  readonly apiKeyPepper: string;
  /** Of each service that seals. */
  readonly encryptionKeys: Readonly<Record<string, string>>;
  /** The one key of all services, in a stack that an older release began. */
  readonly encryptionKey?: string;
  /** Seeds of the identities on the bus, by their names. */
  readonly natsSeeds: Readonly<Record<string, string>>;
  /** The private half of the key with which this stack is operated. */
  readonly operatorKey: string;
};

/** Reads the stack's secrets and creates missing ones (a new service gets its password and key on the next start). */
export async function loadSecrets(
  dataDir: string,
  o: { readonly schemas: readonly string[]; readonly sealing: readonly string[] },
): Promise<Secrets> {
  const file = join(dataDir, 'secrets.json');
  const known = await readJson(file);
  const secrets: Secrets = {
    postgres: known.postgres ?? token(),
    apiKeyPepper: known.apiKeyPepper ?? key(),
    roles: complete(o.schemas, token, known.roles),
    encryptionKeys: complete(o.sealing, key, known.encryptionKeys),
    ...(known.encryptionKey !== undefined && { encryptionKey: known.encryptionKey }),
    natsSeeds: complete(Object.keys(busPermissions), () => createIdentity().seed, known.natsSeeds),
    operatorKey: known.operatorKey ?? createOperatorKey().seed,
  };
  await mkdir(dataDir, { recursive: true });
  await writePrivate(file, secrets);
  return secrets;
}

async function readJson(file: string): Promise<Partial<Secrets>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Partial<Secrets>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error(`${file} cannot be read; without it the stored data cannot be decrypted`, {
      cause: error,
    });
  }
}

/** Returns the known secrets, and a new one for each name without. */
function complete(
  names: readonly string[],
  create: () => string,
  known: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const missing = names.filter((name) => known[name] === undefined);
  return { ...known, ...Object.fromEntries(missing.map((name) => [name, create()])) };
}

const token = () => randomBytes(24).toString('base64url');
const key = () => randomBytes(32).toString('base64');
