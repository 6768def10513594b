import type { Mode, PspCode } from '@gp/contracts';
import { pspCodes } from '@gp/gateway-registry';
import type { Db } from '@gp/pg';
import { listApiKeys, type ApiKeyRow } from '../../db/api-keys.ts';
import { listConnections, type GatewayRow } from '../../db/gateways.ts';
import { listExposures, type Exposure } from '../../db/key-exposures.ts';
import { findSettings } from '../../db/settings.ts';
import { hasWaitingKeys, newestOfEach } from '../../domain/active-gateway.ts';
import type { DashboardParts } from '../ports.ts';

export type { ApiKeyRow, Exposure, GatewayRow };

/**
 * Returns a merchant's keys in a mode, the newest first, revoked ones included, each with the origins it was seen
 * at in browsers.
 */
export async function listKeys(
  db: Db,
  merchantId: string,
  mode: Mode,
): Promise<{ row: ApiKeyRow; exposures: Exposure[] }[]> {
  const keys = await listApiKeys(db, merchantId, mode);
  const ids = keys.map(({ id }) => id);
  const exposures = await listExposures(db, ids);
  return keys.map((row) => ({ row, exposures: exposures.filter(({ keyId }) => keyId === row.id) }));
}

/** Returns the names of a merchant's keys in a mode, revoked ones included, by their ids. */
export async function listKeyNames(
  db: Db,
  merchantId: string,
  mode: Mode,
): Promise<Map<string, { readonly id: string; readonly name: string; readonly last4: string }>> {
  const keys = await listApiKeys(db, merchantId, mode);
  return new Map(keys.map(({ id, name, last4 }) => [id, { id, name, last4 }]));
}

/** Returns the web origins whose pages may use a merchant's session tokens in a mode. */
export async function listOrigins(db: Db, merchantId: string, mode: Mode): Promise<readonly string[]> {
  return (await findSettings(db, merchantId, mode)).allowed_origins;
}

export type ShownGateway = GatewayRow & { readonly hasWaitingKeys: boolean };

/** Returns a merchant's connected gateways in a mode, each by its newest version, and whether keys wait for a check. */
export async function listGateways(db: Db, merchantId: string, mode: Mode): Promise<ShownGateway[]> {
  const connected = await listConnections(db, merchantId, mode);
  return newestOfEach(connected).map((row) => ({ ...row, hasWaitingKeys: hasWaitingKeys(connected, row) }));
}

/**
 * Returns, for each connected gateway, how many groups have unfinished payments over it, which would wait if it
 * were disconnected; undefined while the ledger is unavailable.
 */
export async function countOpenGroupsByGateway(
  { services }: DashboardParts,
  merchant_id: string,
  mode: Mode,
): Promise<Map<PspCode, number> | undefined> {
  const counted = await services.countOpenGroups({ merchant_id, mode }).catch(() => undefined);
  if (!counted) return undefined;
  const all: Map<PspCode, number> = new Map(pspCodes.map((code) => [code, 0]));
  for (const { psp_code, open_groups } of counted.gateways) all.set(psp_code, open_groups);
  return all;
}
