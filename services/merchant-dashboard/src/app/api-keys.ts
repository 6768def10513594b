import { createHmac, randomBytes } from 'node:crypto';
import { apiKeyChanged, type ApiKeyRecord, type Mode } from '@gp/contracts';
import { AppError, notFound } from '@gp/errors';
import { insertOutbox } from '@gp/outbox';
import type { Queryable } from '@gp/pg';
import { failPoint } from '@gp/service';
import { uuidv7 } from 'uuidv7';
import { insertApiKey, revokeApiKeyRow, type ApiKeyRow } from '../db/api-keys.ts';
import { insertAudit } from '../db/audit.ts';
import { nextRevision } from '../db/revisions.ts';
import { newApiKey } from '../domain/api-key.ts';
import type { Actor, DashboardParts } from './ports.ts';

/** Creates a key. Its text is in the answer and nowhere else: only an HMAC of it is kept. */
export function createApiKey(
  parts: DashboardParts,
): (actor: Actor, o: { mode: Mode; name: string }) => Promise<{ row: ApiKeyRow; key: string }> {
  return async (actor, { mode, name }) => {
    const key = newApiKey(mode, randomBytes);
    const digest = createHmac('sha256', parts.pepper.key).update(key).digest();
    const row = await parts.db.transaction(async (tx) => {
      const stored = await insertApiKey(tx, {
        id: uuidv7(),
        merchantId: actor.merchantId,
        mode,
        name,
        digest,
        pepperId: parts.pepper.id,
        last4: key.slice(-4),
        createdBy: actor.name,
      });
      await tell(tx, stored);
      await insertAudit(tx, actor, 'api_key.created', { mode, key_id: stored.id, name });
      failPoint('dashboard.api-key.before');
      return stored;
    });
    failPoint('dashboard.api-key.after');
    parts.wakeRelay();
    return { row, key };
  };
}

/** Revokes a key for good; the edge hears of it within a second. Repeating it changes nothing. */
export function revokeApiKey(parts: DashboardParts): (actor: Actor, keyId: string) => Promise<ApiKeyRow> {
  return async (actor, keyId) => {
    const row = await parts.db.transaction(async (tx) => {
      const revoked = await revokeApiKeyRow(tx, actor.merchantId, keyId);
      if (!revoked) throw notFound('API key');
      await tell(tx, revoked);
      await insertAudit(tx, actor, 'api_key.revoked', { mode: revoked.mode, key_id: keyId });
      return revoked;
    });
    parts.wakeRelay();
    return row;
  };
}

async function tell(tx: Queryable, row: ApiKeyRow): Promise<void> {
  const payload: ApiKeyRecord = {
    merchant_id: row.merchantId,
    mode: row.mode,
    key_id: row.id,
    digest: row.digest.toString('hex'),
    pepper_id: row.pepperId,
    revoked_at: row.revokedAt?.toISOString() ?? null,
    revision: await nextRevision(tx, row.merchantId, row.mode),
  };
  if (payload.digest.length !== 64) throw new AppError('internal_error');
  const subject = `${apiKeyChanged.subject}.${row.merchantId}`;
  await insertOutbox(tx, [{ id: uuidv7(), subject, groupKey: row.merchantId, mode: row.mode, payload }]);
}
