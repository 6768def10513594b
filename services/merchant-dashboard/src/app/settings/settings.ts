import { merchantSettings, type MerchantSettings, type Mode } from '@gp/contracts';
import type { Queryable } from '@gp/pg';
import { nextRevision } from '../../db/revisions.ts';
import { findSettings, saveSettings } from '../../db/settings.ts';
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
