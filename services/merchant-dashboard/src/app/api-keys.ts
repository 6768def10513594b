import { createHmac, randomBytes } from 'node:crypto';
import type { Mode } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { uuidv7 } from 'uuidv7';
import { findApiKey, insertApiKey, revokeApiKeyRow, type ApiKeyRow } from '../db/api-keys.ts';
import { insertAudit } from '../db/audit.ts';
import { newApiKey } from '../domain/api-key.ts';
import { committed } from '../fail-points.ts';
import { tellApiKey } from './news.ts';
import type { Actor, DashboardParts } from './ports.ts';

/** Creates a key. Its text is in the answer and nowhere else: only an HMAC of it is kept. */
export function createApiKey(
  parts: DashboardParts,
): (actor: Actor, o: { mode: Mode; name: string }) => Promise<{ row: ApiKeyRow; key: string }> {
  return async (actor, { mode, name }) => {
    const key = newApiKey(mode, randomBytes);
    const record = {
      id: uuidv7(),
      merchantId: actor.merchantId,
      mode,
      name,
      digest: createHmac('sha256', parts.pepper.key).update(key).digest(),
      pepperId: parts.pepper.id,
      last4: key.slice(-4),
      createdBy: actor.name,
    };
    const row = await committed(parts.db, 'api-key', async (tx) => {
      const stored = await insertApiKey(tx, record);
      await tellApiKey(tx, stored);
      await insertAudit(tx, actor, 'api_key.created', { mode, key_id: stored.id, name });
      return stored;
    });
    parts.wakeRelay();
    return { row, key };
  };
}

/** Revokes a key for good; the edge hears of it within a second. Repeating it changes nothing. */
export function revokeApiKey(parts: DashboardParts): (actor: Actor, keyId: string) => Promise<ApiKeyRow> {
  return async (actor, keyId) => {
    const row = await committed(parts.db, 'api-key', async (tx) => {
      const revoked = await revokeApiKeyRow(tx, actor.merchantId, keyId);
      if (!revoked) return findApiKey(tx, actor.merchantId, keyId);
      await tellApiKey(tx, revoked);
      await insertAudit(tx, actor, 'api_key.revoked', { mode: revoked.mode, key_id: keyId });
      return revoked;
    });
    if (!row) throw notFound('API key');
    parts.wakeRelay();
    return row;
  };
}
