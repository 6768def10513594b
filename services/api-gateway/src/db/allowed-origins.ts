import type { AllowedOrigins, Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

type Row = { merchant_id: string; mode: Mode; origins: string[]; revision: bigint };

const upsert = statement(
  'api-gateway.upsert-allowed-origins',
  `insert into allowed_origins as o (merchant_id, mode, origins, revision) values ($1, $2, $3, $4)
   on conflict (merchant_id, mode) do update set origins = excluded.origins, revision = excluded.revision
   where excluded.revision > o.revision`,
);

// Index: allowed_origins_have_one_row_per_mode.
const find = statement<Row>(
  'api-gateway.find-allowed-origins',
  `select merchant_id, mode, origins, revision from allowed_origins
   where (merchant_id, mode) in (select * from unnest($1::text[], $2::text[]))`,
);

// Index: allowed_origins_by_origin.
const findAnybodys = statement<{ found: boolean }>(
  'api-gateway.find-anybodys-origin',
  'select exists (select from allowed_origins where origins @> array[$1::text]) as found',
);

/** Takes news about a merchant's origins in a mode; old news change nothing. */
export async function upsertAllowedOrigins(db: Queryable, news: AllowedOrigins): Promise<void> {
  await db.query(upsert, [news.merchant_id, news.mode, news.origins, news.revision]);
}

/** The origins of those of these merchants that ever registered any. */
export async function findAllowedOrigins(
  db: Queryable,
  owners: readonly { readonly merchantId: string; readonly mode: Mode }[],
): Promise<AllowedOrigins[]> {
  const rows = await db.query(find, [owners.map((o) => o.merchantId), owners.map((o) => o.mode)]);
  return rows.map((row) => ({ ...row, revision: Number(row.revision) }));
}

/** Whether any merchant registered this origin, in any mode. */
export async function isAnybodysOrigin(db: Queryable, origin: string): Promise<boolean> {
  const [row] = await db.query(findAnybodys, [origin]);
  return row?.found ?? false;
}
