import type { AllowedOrigins, Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

const upsert = statement(
  'checkout.upsert-allowed-origins',
  `insert into allowed_origins as o (merchant_id, mode, origins, revision) values ($1, $2, $3, $4)
   on conflict (merchant_id, mode) do update set origins = excluded.origins, revision = excluded.revision
   where excluded.revision > o.revision`,
);
const isOf = statement<{ found: boolean }>(
  'checkout.is-origin-of-merchant',
  `select exists (
     select from allowed_origins where merchant_id = $1 and mode = $2 and origins @> array[$3::text]
   ) as found`,
);
// Index: allowed_origins_by_origin.
const isAnybodys = statement<{ found: boolean }>(
  'checkout.is-anybodys-origin',
  'select exists (select from allowed_origins where origins @> array[$1::text]) as found',
);

/** Longer than any host name with its port; nothing longer is looked up. */
const LONGEST_ORIGIN = 270;

/** Takes news about a merchant's origins in a mode; old news change nothing. */
export async function upsertAllowedOrigins(db: Queryable, news: AllowedOrigins): Promise<void> {
  await db.query(upsert, [news.merchant_id, news.mode, news.origins, news.revision]);
}

/** Whether a merchant registered this origin in this mode. */
export async function isOriginOf(
  db: Queryable,
  owner: { merchant_id: string; mode: Mode },
  origin: string,
): Promise<boolean> {
  if (origin.length > LONGEST_ORIGIN) return false;
  const [row] = await db.query(isOf, [owner.merchant_id, owner.mode, origin]);
  return row?.found ?? false;
}

/** Whether any merchant registered it, in any mode. */
export async function isAnybodysOrigin(db: Queryable, origin: string): Promise<boolean> {
  if (origin.length > LONGEST_ORIGIN) return false;
  const [row] = await db.query(isAnybodys, [origin]);
  return row?.found ?? false;
}
