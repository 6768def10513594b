import {
  apiKeyChanged,
  gatewayChanged,
  logoChanged,
  settingsChanged,
  type ApiKeyRecord,
  type GatewayConnection,
  type LogoChanged,
  type SettingsChanged,
} from '@gp/contracts';
import { insertOutbox } from '@gp/outbox';
import type { Queryable } from '@gp/pg';
import { uuidv7 } from 'uuidv7';
import type { ApiKeyRow } from '../../db/api-keys.ts';
import type { GatewayRow } from '../../db/gateways.ts';
import { nextRevision } from '../../db/revisions.ts';

/** Writes the message about an API key to the outbox, in the transaction that changed the key. */
export async function publishApiKey(tx: Queryable, row: ApiKeyRow): Promise<ApiKeyRecord> {
  const change: ApiKeyRecord = {
    merchant_id: row.merchantId,
    mode: row.mode,
    key_id: row.id,
    digest: row.digest.toString('hex'),
    pepper_id: row.pepperId,
    revoked_at: row.revokedAt?.toISOString() ?? null,
    revision: await nextRevision(tx, row.merchantId, row.mode),
    ...(row.scopes && { scopes: [...row.scopes] }),
    ...(row.expiresAt && { expires_at: row.expiresAt.toISOString() }),
    ...(row.allowedAddresses.length > 0 && { allowed_addresses: [...row.allowedAddresses] }),
  };
  await publish(tx, apiKeyChanged.subject, change);
  return change;
}

/** Writes the message about a gateway connection to the outbox, in the transaction that changed it. */
export async function publishGateway(tx: Queryable, row: GatewayRow): Promise<GatewayConnection> {
  const change: GatewayConnection = {
    merchant_id: row.merchantId,
    mode: row.mode,
    psp_code: row.pspCode,
    version: row.version,
    active: row.active,
    revoked_at: row.revokedAt?.toISOString() ?? null,
    revision: await nextRevision(tx, row.merchantId, row.mode),
  };
  await publish(tx, gatewayChanged.subject, change);
  return change;
}

/** Writes the message about a merchant's settings to the outbox, in the transaction that changed them. */
export function publishSettings(tx: Queryable, change: SettingsChanged): Promise<void> {
  return publish(tx, settingsChanged.subject, change);
}

/** Writes the message about a merchant's logo to the outbox, in the transaction that changed it. */
export function publishLogo(tx: Queryable, change: LogoChanged): Promise<void> {
  return publish(tx, logoChanged.subject, change);
}

/** One merchant's messages are published in the order of their commits: the group key is the merchant. */
type SettingsMessage = ApiKeyRecord | GatewayConnection | LogoChanged | SettingsChanged;

async function publish(tx: Queryable, about: string, change: SettingsMessage): Promise<void> {
  const { merchant_id: groupKey, mode } = change;
  const subject = `${about}.${groupKey}`;
  await insertOutbox(tx, [{ id: uuidv7(), subject, groupKey, mode, payload: change }]);
}
