import type { Mode } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { listApiKeys, type ApiKeyRow } from '../db/api-keys.ts';
import { listConnections, type GatewayRow } from '../db/gateways.ts';
import { findMerchant } from '../db/merchants.ts';
import type { Member } from './roles.ts';

export type { ApiKeyRow, GatewayRow };

/** Who is logged in, and for whom. */
export async function describeMerchant(db: Db, user: Member) {
  const merchant = await findMerchant(db, user.merchantId);
  return {
    merchant_id: user.merchantId,
    merchant_name: merchant?.name ?? '',
    email: user.email,
    role: user.role,
  };
}

export function listKeys(db: Db, merchantId: string, mode: Mode): Promise<ApiKeyRow[]> {
  return listApiKeys(db, merchantId, mode);
}

export function listGateways(db: Db, merchantId: string, mode: Mode): Promise<GatewayRow[]> {
  return listConnections(db, merchantId, mode);
}
