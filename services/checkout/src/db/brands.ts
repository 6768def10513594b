import type { Mode } from '@gp/contracts';
import { findSettings } from '@gp/outbox';
import type { Queryable } from '@gp/pg';
import { toSupport, type Brand } from '../domain/brand.ts';
import { findLogo } from './logos.ts';

/** Returns how payers recognise a merchant in a mode, and whom they may ask. */
export async function findBrand(
  db: Queryable,
  { merchant_id: merchantId, mode }: { merchant_id: string; mode: Mode },
): Promise<Brand> {
  const [[settings], logo] = await Promise.all([
    findSettings(db, [{ merchantId, mode }]),
    findLogo(db, { merchant_id: merchantId, mode }),
  ]);
  return {
    name: settings?.business_name || null,
    color: settings?.brand_color || null,
    logo,
    support: settings && toSupport(settings),
  };
}
