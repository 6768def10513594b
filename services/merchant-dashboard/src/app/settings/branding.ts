import type { Mode } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { findLogo } from '../../db/logos.ts';
import { findSettings } from '../../db/settings.ts';
import type { Actor, DashboardParts } from '../ports.ts';
import { setSettings } from './settings.ts';

/** How a merchant's checkout page looks in a mode; null stands for what the platform has. */
export type Brand = { readonly brand_color: string | null; readonly logo: string | null };

/** Returns the colour of a merchant's checkout page in a mode, `#rrggbb`, and the name of the file of its logo. */
export async function findBrand(db: Db, merchantId: string, mode: Mode): Promise<Brand> {
  const { brand_color } = await findSettings(db, merchantId, mode);
  return { brand_color: brand_color || null, logo: await findLogo(db, merchantId, mode) };
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
