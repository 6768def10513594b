import { merchantSettings, type MerchantSettings, type Mode } from '@gp/contracts';
import type { Queryable } from '@gp/pg';
import { insertAudit } from '../../db/audit.ts';
import { nextRevision } from '../../db/revisions.ts';
import { findSettings, saveSettings } from '../../db/settings.ts';
import { committed } from '../../fail-points.ts';
import type { Actor, DashboardParts } from '../ports.ts';
import { publishSettings } from './publish-changes.ts';

/**
 * Changes some of a merchant's settings in a mode and writes the message about it to the outbox, in the caller's
 * transaction.
 */
export async function changeSettings(
  tx: Queryable,
  { merchantId, mode }: { readonly merchantId: string; readonly mode: Mode },
  changed: Partial<MerchantSettings>,
): Promise<void> {
  // Takes the merchant's lock first, so that of two concurrent changes the later revision also has the later
  // values.
  const revision = await nextRevision(tx, merchantId, mode);
  const values = { ...(await findSettings(tx, merchantId, mode)), ...changed };
  const change = merchantSettings.encode({ merchant_id: merchantId, mode }, values, revision);
  await saveSettings(tx, change);
  await publishSettings(tx, change);
}

/** Changes settings in a mode for a member, with an entry in the audit log; the services that follow them know within a second. */
export function setSettings(
  parts: DashboardParts,
): (
  actor: Actor,
  o: { mode: Mode; changed: Partial<MerchantSettings>; entry: { action: string; details: object } },
) => Promise<void> {
  return async (actor, { mode, changed, entry }) => {
    await committed(parts.db, 'settings', async (tx) => {
      await changeSettings(tx, { merchantId: actor.merchantId, mode }, changed);
      await insertAudit(tx, actor, entry.action, { mode, ...entry.details });
    });
    parts.wakeRelay();
  };
}
