import type { Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

const save = statement(
  'dashboard.save-origins',
  `insert into allowed_origins (merchant_id, mode, origins) values ($1, $2, $3)
   on conflict (merchant_id, mode) do update set origins = excluded.origins, changed_at = clock_timestamp()`,
);
const find = statement<{ origins: string[] }>(
  'dashboard.find-origins',
  'select origins from allowed_origins where merchant_id = $1 and mode = $2',
);

export async function saveOrigins(
  tx: Queryable,
  merchantId: string,
  mode: Mode,
  origins: readonly string[],
): Promise<void> {
  await tx.query(save, [merchantId, mode, origins]);
}

/** The origins registered by a merchant in a mode; none unless some were. */
export async function findOrigins(db: Queryable, merchantId: string, mode: Mode): Promise<string[]> {
  return (await db.query(find, [merchantId, mode]))[0]?.origins ?? [];
}
