import type { Mode } from '@gp/contracts';
import { findSettings } from '@gp/outbox';
import type { Queryable } from '@gp/pg';

/** Returns the name under which payers know the merchant; undefined while it was not announced. */
export async function findBusinessName(
  db: Queryable,
  { merchant_id: merchantId, mode }: { merchant_id: string; mode: Mode },
): Promise<string | undefined> {
  const [settings] = await findSettings(db, [{ merchantId, mode }]);
  return settings?.business_name || undefined;
}
