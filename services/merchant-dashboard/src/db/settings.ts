import { merchantSettings, type MerchantSettings, type Mode, type SettingsChanged } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

// The table was named in the release whose only setting was the origins.
const save = statement(
  'dashboard.save-settings',
  `insert into allowed_origins as o (merchant_id, mode, origins, settings) values ($1, $2, $3, coalesce($4::jsonb, '{}'))
   on conflict (merchant_id, mode) do update
     set origins = excluded.origins, settings = coalesce($4::jsonb, o.settings), changed_at = clock_timestamp()`,
);
const find = statement<{ origins: string[]; settings: Record<string, unknown> }>(
  'dashboard.find-settings',
  'select origins, settings from allowed_origins where merchant_id = $1 and mode = $2',
);

/** Stores a merchant's changed settings. */
export async function saveSettings(tx: Queryable, change: SettingsChanged): Promise<void> {
  const { merchant_id, mode, origins, settings } = change;
  await tx.query(save, [merchant_id, mode, origins, settings ? JSON.stringify(settings) : null]);
}

/** Returns a merchant's settings in a mode, with the initial value of each that was never set. */
export async function findSettings(db: Queryable, merchantId: string, mode: Mode): Promise<MerchantSettings> {
  const [row] = await db.query(find, [merchantId, mode]);
  return row ? merchantSettings.decode(row) : merchantSettings.initial;
}
