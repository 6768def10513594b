import { merchantSettings, type MerchantSettings, type Mode, type SettingsChanged } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

type Owner = { readonly merchantId: string; readonly mode: Mode };
/** `revision` is that of the newest change received. */
export type KnownSettings = MerchantSettings & {
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly revision: number;
};
type Row = {
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly origins: string[];
  readonly settings: Record<string, unknown>;
  readonly revision: bigint;
};

// The table's name comes from the release whose only setting was the origins. A message without `settings` is
// from such a release and leaves the other settings unchanged.
const upsert = statement(
  'merchant-settings.upsert',
  `insert into allowed_origins as o (merchant_id, mode, origins, settings, revision)
   values ($1, $2, $3, coalesce($4::jsonb, '{}'), $5)
   on conflict (merchant_id, mode) do update
     set origins = excluded.origins, settings = coalesce($4::jsonb, o.settings), revision = excluded.revision
   where excluded.revision > o.revision`,
);

// Index: allowed_origins_have_one_row_per_mode.
const find = statement<Row>(
  'merchant-settings.find',
  `select merchant_id, mode, origins, settings, revision from allowed_origins
   where (merchant_id, mode) in (select * from unnest($1::text[], $2::text[]))`,
);

/** Stores the projection of merchants' settings; repeatable, and an older message changes nothing. */
export async function upsertSettings(db: Queryable, message: SettingsChanged): Promise<void> {
  const settings = message.settings === undefined ? null : JSON.stringify(message.settings);
  await db.query(upsert, [message.merchant_id, message.mode, message.origins, settings, message.revision]);
}

/**
 * Returns the settings of those of these merchants that ever changed one; for the others every setting has its
 * initial value.
 */
export async function findSettings(db: Queryable, owners: readonly Owner[]): Promise<KnownSettings[]> {
  const rows = await db.query(find, [owners.map((o) => o.merchantId), owners.map((o) => o.mode)]);
  return rows.map(({ merchant_id, mode, revision, ...stored }) => ({
    merchant_id,
    mode,
    revision: Number(revision),
    ...merchantSettings.decode(stored),
  }));
}
