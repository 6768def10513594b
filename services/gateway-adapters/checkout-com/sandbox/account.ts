import { createHash } from 'node:crypto';
import type { HttpHead } from '@gp/http';
import { type Account, type Accounts, newId, newSecret } from '@gp/psp-sandbox/kit';
import { newAppKeys, type AppKeys } from './cipher.ts';
import { unauthenticated } from './errors.ts';

/** A merchant's connection in the format of the dashboard's form: every field is a text. */
export type Credentials = {
  team_id: string;
  app_id: string;
  relay_api_key: string;
  processor_secret_key: string;
  processing_channel_id: string;
  webhook_secret: string;
};

/** Creates an app with its key pairs and a processing channel. */
export function newAccount(): Account & { authenticatesWith: readonly string[] } {
  const app = newId('app_');
  const keys = newAppKeys();
  const relayKey = newRelayKey(app);
  const processorKey = newSecret('sk_sbox_');
  return {
    gateway: 'gateway_b',
    account: newId('pc_'),
    publicIds: {
      team_id: newId('team_'),
      app_id: app,
      p256: keys.prime256v1.publicKey.toString('base64'),
      secp256k1: keys.secp256k1.publicKey.toString('base64'),
    },
    secrets: {
      relay_api_key: relayKey,
      processor_secret_key: processorKey,
      webhook_secret: newSecret('whsec_'),
      p256: keys.prime256v1.privateKey.toString('base64'),
      secp256k1: keys.secp256k1.privateKey.toString('base64'),
    },
    authenticatesWith: [relayKey, processorKey],
  };
}

/** Returns a scoped key: its fifth field names its app, and client libraries check that. */
function newRelayKey(app: string): string {
  const scope = createHash('sha512').update(app).digest('base64').slice(0, 6);
  return `ev:key:1:${newSecret('')}:${scope}:${newSecret('').slice(0, 6)}`;
}

export function listCredentials({ account, publicIds, secrets }: Account): Credentials {
  return {
    team_id: publicIds['team_id'] ?? '',
    app_id: publicIds['app_id'] ?? '',
    relay_api_key: secrets['relay_api_key'] ?? '',
    processor_secret_key: secrets['processor_secret_key'] ?? '',
    processing_channel_id: account,
    webhook_secret: secrets['webhook_secret'] ?? '',
  };
}

export function readAppKeys({ publicIds, secrets }: Account): AppKeys {
  const pair = (curve: string) => ({
    publicKey: Buffer.from(publicIds[curve] ?? '', 'base64'),
    privateKey: Buffer.from(secrets[curve] ?? '', 'base64'),
  });
  return { prime256v1: pair('p256'), secp256k1: pair('secp256k1') };
}

/** Authenticates a call to the processor by its secret key; returns the processing channel. */
export async function authenticate(accounts: Accounts, { headers }: HttpHead): Promise<string> {
  const key = (headers.authorization ?? '').replace(/^bearer /i, '');
  const account = key.startsWith('sk_sbox_') ? await accounts.findBySecret('gateway_b', key) : undefined;
  if (account === undefined) throw unauthenticated();
  return account.account;
}

/** Returns the app whose relay key a CONNECT carries, bare or as the password of Basic. */
export async function findAppByRelayKey(
  accounts: Accounts,
  header: string | undefined,
): Promise<Account | undefined> {
  const [scheme = '', value = ''] = (header ?? '').split(' ');
  const basic = /^basic$/i.test(scheme)
    ? Buffer.from(value, 'base64')
        .toString('utf8')
        .replace(/^[^:]*:/, '')
    : undefined;
  const key = basic ?? (value === '' ? scheme : value);
  return key.startsWith('ev:key:') ? accounts.findBySecret('gateway_b', key) : undefined;
}
