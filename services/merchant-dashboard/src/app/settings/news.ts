import {
  apiKeyChanged,
  gatewayChanged,
  settingsChanged,
  type ApiKeyRecord,
  type GatewayConnection,
  type SettingsChanged,
} from '@gp/contracts';
import { insertOutbox } from '@gp/outbox';
import type { Queryable } from '@gp/pg';
import { uuidv7 } from 'uuidv7';
import type { ApiKeyRow } from '../../db/api-keys.ts';
import type { GatewayRow } from '../../db/gateways.ts';
import { nextRevision } from '../../db/revisions.ts';

/** Writes the message about an API key to the outbox, in the transaction that changed the key. */
export async function tellApiKey(tx: Queryable, row: ApiKeyRow): Promise<ApiKeyRecord> {
  const news: ApiKeyRecord = {
    merchant_id: row.merchantId,
    mode: row.mode,
    key_id: row.id,
    digest: row.digest.toString('hex'),
    pepper_id: row.pepperId,
    revoked_at: row.revokedAt?.toISOString() ?? null,
    revision: await nextRevision(tx, row.merchantId, row.mode),
  };
  await tell(tx, apiKeyChanged.subject, news);
  return news;
}

/** Writes the message about a gateway connection to the outbox, in the transaction that changed it. */
export async function tellGateway(tx: Queryable, row: GatewayRow): Promise<GatewayConnection> {
  const news: GatewayConnection = {
    merchant_id: row.merchantId,
    mode: row.mode,
    psp_code: row.pspCode,
    version: row.version,
    active: row.active,
    revoked_at: row.revokedAt?.toISOString() ?? null,
    revision: await nextRevision(tx, row.merchantId, row.mode),
  };
  await tell(tx, gatewayChanged.subject, news);
  return news;
}

/** Writes the message about a merchant's settings to the outbox, in the transaction that changed them. */
export function tellSettings(tx: Queryable, news: SettingsChanged): Promise<void> {
  return tell(tx, settingsChanged.subject, news);
}

/** One merchant's messages are published in the order of their commits: the group key is the merchant. */
type News = ApiKeyRecord | GatewayConnection | SettingsChanged;

async function tell(tx: Queryable, about: string, news: News): Promise<void> {
  const { merchant_id: groupKey, mode } = news;
  const subject = `${about}.${groupKey}`;
  await insertOutbox(tx, [{ id: uuidv7(), subject, groupKey, mode, payload: news }]);
}
