import type { Mode } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { findSettings } from '../../db/settings.ts';
import type { Actor, DashboardParts } from '../ports.ts';
import { setSettings } from './settings.ts';

/** Returns the colour of a merchant's checkout page in a mode, `#rrggbb`; null for that of the platform. */
export async function findBrandColor(db: Db, merchantId: string, mode: Mode): Promise<string | null> {
  return (await findSettings(db, merchantId, mode)).brand_color || null;
}

/** Sets the colour of a merchant's checkout page in a mode and returns it in small letters; pages that are open keep theirs. */
export function setBrandColor(
  parts: DashboardParts,
): (actor: Actor, o: { mode: Mode; brand_color: string | null }) => Promise<string | null> {
  const set = setSettings(parts);
  return async (actor, { mode, brand_color: entered }) => {
    const brand_color = entered?.toLowerCase() ?? null;
    const entry = { action: 'branding.changed', details: { brand_color } };
    await set(actor, { mode, changed: { brand_color: brand_color ?? '' }, entry });
    return brand_color;
  };
}
