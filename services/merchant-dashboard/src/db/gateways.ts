import type { Mode, PspCode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

export type GatewayRow = {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly pspCode: PspCode;
  readonly version: number;
  readonly active: boolean;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
};

type Stored = {
  merchant_id: string;
  mode: Mode;
  psp_code: PspCode;
  version: number;
  active: boolean;
  created_at: Date;
  revoked_at: Date | null;
};

const COLUMNS = 'merchant_id, mode, psp_code, version, active, created_at, revoked_at';
// The caller holds the merchant's revision row, so nobody else changes these rows meanwhile. A new version of the
// active gateway takes the place of the old one.
const dim = statement(
  'dashboard.dim-gateways',
  'update gateway_connections set active = false where merchant_id = $1 and mode = $2 and active',
);
const insert = statement<Stored>(
  'dashboard.insert-gateway',
  `insert into gateway_connections (merchant_id, mode, psp_code, version, active)
   values ($1, $2, $3, $4, $5)
   on conflict (merchant_id, mode, psp_code, version) do update set active = excluded.active
   returning ${COLUMNS}`,
);
const activate = statement<Stored>(
  'dashboard.activate-gateway',
  `update gateway_connections set active = true
   where (merchant_id, mode, psp_code, version) = (
     select merchant_id, mode, psp_code, version from gateway_connections
     where merchant_id = $1 and mode = $2 and psp_code = $3 and revoked_at is null order by version desc limit 1)
   returning ${COLUMNS}`,
);
const revoke = statement<Stored>(
  'dashboard.revoke-gateways',
  `update gateway_connections set active = false, revoked_at = clock_timestamp()
   where merchant_id = $1 and mode = $2 and psp_code = $3 and revoked_at is null returning ${COLUMNS}`,
);
const list = statement<Stored>(
  'dashboard.list-gateways',
  `select distinct on (psp_code) ${COLUMNS} from gateway_connections
   where merchant_id = $1 and mode = $2 and revoked_at is null order by psp_code, version desc`,
);
const active = statement<{ psp_code: PspCode }>(
  'dashboard.active-gateway',
  'select psp_code from gateway_connections where merchant_id = $1 and mode = $2 and active',
);

/** Stores a new version of a connection: active when nothing is, or when it replaces the active one of its gateway. */
export async function insertConnection(
  tx: Queryable,
  c: { merchantId: string; mode: Mode; pspCode: PspCode; version: number },
): Promise<GatewayRow> {
  const [current] = await tx.query(active, [c.merchantId, c.mode]);
  const isActive = current === undefined || current.psp_code === c.pspCode;
  if (isActive) await tx.query(dim, [c.merchantId, c.mode]);
  const [row] = await tx.query(insert, [c.merchantId, c.mode, c.pspCode, c.version, isActive]);
  if (!row) throw new Error('an inserted connection was not returned');
  return fromRow(row);
}

/** Moves the active flag to the newest version of a gateway; undefined when it is not connected. */
export async function activateConnection(
  tx: Queryable,
  merchantId: string,
  mode: Mode,
  pspCode: PspCode,
): Promise<GatewayRow | undefined> {
  const connected = (await tx.query(list, [merchantId, mode])).some((row) => row.psp_code === pspCode);
  if (!connected) return undefined;
  await tx.query(dim, [merchantId, mode]);
  const [row] = await tx.query(activate, [merchantId, mode, pspCode]);
  return row && fromRow(row);
}

/** Revokes every version of a gateway's connection; answers those that were not revoked before. */
export async function revokeConnections(
  tx: Queryable,
  merchantId: string,
  mode: Mode,
  pspCode: PspCode,
): Promise<GatewayRow[]> {
  return (await tx.query(revoke, [merchantId, mode, pspCode])).map(fromRow);
}

/** The newest version of each connected gateway. */
export async function listConnections(db: Queryable, merchantId: string, mode: Mode): Promise<GatewayRow[]> {
  return (await db.query(list, [merchantId, mode])).map(fromRow);
}

function fromRow(row: Stored): GatewayRow {
  return {
    merchantId: row.merchant_id,
    mode: row.mode,
    pspCode: row.psp_code,
    version: row.version,
    active: row.active,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
  };
}
