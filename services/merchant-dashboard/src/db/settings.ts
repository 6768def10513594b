import { merchantSettings, type MerchantSettings, type Mode, type SettingsChanged } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

// The table was named in the release whose only setting was the origins.
const save = statement(
  'dashboard.save-settings',
  `insert into allowed_origins as o (merchant_id, mode, origins, settings) values ($1, $2, $3, coalesce($4::jsonb, '{}'))
   on conflict (merchant_id, mode) do update
     set origins = excluded.origins, settings = coalesce($4::jsonb, o.settings), changed_at = clock_timestamp()`,
);
// The name is that of the merchant's own row, whatever was published last.
const find = statement<{ origins: string[]; settings: Record<string, unknown> }>(
  'dashboard.find-settings',
  `select coalesce(o.origins, '{}') as origins,
     coalesce(o.settings, '{}') || jsonb_build_object('business_name', m.name) as settings
   from merchants m left join allowed_origins o on o.merchant_id = m.id and o.mode = $2
   where m.id = $1`,
);
// Ids begin with their instant, so that a search for new merchants reads these only.
const listNameless = statement<{ merchant_id: string; mode: Mode }>(
  'dashboard.list-nameless-settings',
  `select m.id as merchant_id, modes.mode
   from merchants m cross join (values ('test'), ('live')) as modes (mode)
     left join allowed_origins o on o.merchant_id = m.id and o.mode = modes.mode
   where m.id >= $2 and o.settings -> 'business_name' is distinct from to_jsonb(m.name)
   order by m.id, modes.mode limit $1`,
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

/** Returns some of the merchants with this id or a later one, by mode, whose name was not published as it is now. */
export async function listUnpublishedNames(
  tx: Queryable,
  { most, from }: { readonly most: number; readonly from: string },
): Promise<{ merchantId: string; mode: Mode }[]> {
  const rows = await tx.query(listNameless, [most, from]);
  return rows.map(({ merchant_id: merchantId, mode }) => ({ merchantId, mode }));
}
