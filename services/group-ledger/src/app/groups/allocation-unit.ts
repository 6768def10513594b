import type { Db } from '@gp/pg';
import { findCurrency } from '@gp/money';
import { findActiveGateway } from '../../db/gateway-connections.ts';
import { allocationUnit, isGatewayDependent } from '../../domain/index.ts';
import type { UnitOf } from './create-groups.ts';

/**
 * A merchant who has just switched gateways may get one split in the former step: pay refuses amounts that do not fit.
 */
const CACHE_MS = 5_000;

/** The step in which equal shares are split (G3): coarser than a minor unit only where the active gateway requires it. */
export function allocationUnits(db: Db): UnitOf {
  type Active = ReturnType<typeof findActiveGateway>;
  const cache = new Map<string, { until: number; psp: Active }>();
  const activeGateway = (merchantId: string, mode: string): Active => {
    const key = `${mode} ${merchantId}`;
    const known = cache.get(key);
    if (known && known.until > Date.now()) return known.psp;
    if (cache.size > 10_000) cache.clear();
    const psp = findActiveGateway(db, merchantId, mode);
    cache.set(key, { until: Date.now() + CACHE_MS, psp });
    psp.catch(() => cache.delete(key));
    return psp;
  };
  return async (merchantId, mode, code) => {
    const currency = findCurrency(code);
    if (!currency || !isGatewayDependent(currency)) return 1n;
    return allocationUnit(await activeGateway(merchantId, mode), currency);
  };
}
