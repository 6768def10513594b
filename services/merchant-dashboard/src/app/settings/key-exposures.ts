import type { KeyExposure, KeyUse } from '@gp/contracts';
import { claimInbox, countDuplicates } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { noteKeyUse } from '../../db/api-keys.ts';
import { insertAudit } from '../../db/audit.ts';
import { addExposure } from '../../db/key-exposures.ts';
import { committed } from '../../fail-points.ts';

export const CONSUMER = 'dashboard-key-exposures';
countDuplicates(CONSUMER, 0);

/**
 * Stores the edge's summary of a secret key's use in browsers (Q29), each message once. The audit log records the
 * first time a key is seen at an origin; the table counts the rest.
 */
export function takeExposure(db: Db): (messageId: string, exposure: KeyExposure) => Promise<void> {
  return (messageId, exposure) =>
    committed(db, 'key-exposure', async (tx) => {
      if (!(await claimInbox(tx, CONSUMER, messageId))) return;
      if (!(await addExposure(tx, exposure))) return;
      const { merchant_id: merchantId, mode, key_id, origin } = exposure;
      const actor = { merchantId, name: 'api-gateway' };
      await insertAudit(tx, actor, 'api_key.seen_in_browser', { mode, key_id, origin });
    });
}

export const USE_CONSUMER = 'dashboard-key-uses';

/** Stores the edge's report of a key's use. A repeated or late report changes nothing. */
export function takeKeyUse(db: Db): (use: KeyUse) => Promise<void> {
  return (use) => noteKeyUse(db, use);
}
