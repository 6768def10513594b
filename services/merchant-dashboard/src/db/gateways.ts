import type { Mode, PspCode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

export type GatewayRow = {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly pspCode: PspCode;
  readonly version: number;
  readonly active: boolean;
  /** Null until the gateway has confirmed the keys. */
  readonly verifiedAt: Date | null;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
};

type Stored = {
  merchant_id: string;
  mode: Mode;
  psp_code: PspCode;
  version: number;
  active: boolean;
  verified_at: Date | null;
  created_at: Date;
  revoked_at: Date | null;
};

const COLUMNS = 'merchant_id, mode, psp_code, version, active, verified_at, created_at, revoked_at';
// Callers hold the lock on the merchant's revisions, so these rows do not change meanwhile.
const connected = statement<Stored>(
  'dashboard.connected-gateways',
  `select ${COLUMNS} from gateway_connections
   where merchant_id = $1 and mode = $2 and revoked_at is null order by psp_code, version`,
);
const dim = statement(
  'dashboard.dim-gateways',
  'update gateway_connections set active = false where merchant_id = $1 and mode = $2 and active',
);
// The adapter returns the version it has for secrets it already knows: entering them again restores a revoked
// connection.
const upsert = statement<Stored>(
  'dashboard.upsert-gateway',
  `insert into gateway_connections as c (merchant_id, mode, psp_code, version, active, verified_at, checked_at)
   values ($1, $2, $3, $4, $5, case when $6 then clock_timestamp() end, clock_timestamp())
   on conflict (merchant_id, mode, psp_code, version) do update
     set active = excluded.active, revoked_at = null, verified_at = coalesce(c.verified_at, excluded.verified_at)
   returning ${COLUMNS}`,
);
// Each check doubles the pause to the next one, from a minute on: credentials that fail for days are checked rarely. A
// version that was replaced is not checked any more. Reads gateway_connections_to_verify.
const takeUnverified = statement<Stored>(
  'dashboard.take-unverified-gateways',
  `with due as (
     select merchant_id, mode, psp_code, version from gateway_connections c
     where verified_at is null and revoked_at is null
       and checked_at < clock_timestamp() - greatest(interval '1 minute', (checked_at - created_at) / 2)
       and not exists (
         select from gateway_connections n
         where n.merchant_id = c.merchant_id and n.mode = c.mode and n.psp_code = c.psp_code and n.version > c.version)
     order by checked_at limit $1 for update skip locked
   )
   update gateway_connections c set checked_at = clock_timestamp()
   from due
   where (c.merchant_id, c.mode, c.psp_code, c.version) = (due.merchant_id, due.mode, due.psp_code, due.version)
   returning ${COLUMNS.split(', ')
     .map((column) => `c.${column}`)
     .join(', ')}`,
);
const revoke = statement<Stored>(
  'dashboard.revoke-gateways',
  `update gateway_connections set active = false, revoked_at = clock_timestamp()
   where merchant_id = $1 and mode = $2 and psp_code = $3 and revoked_at is null returning ${COLUMNS}`,
);

/** Returns every version that is not revoked, of every gateway. */
export async function listConnections(db: Queryable, merchantId: string, mode: Mode): Promise<GatewayRow[]> {
  return (await db.query(connected, [merchantId, mode])).map(fromRow);
}

/**
 * Stores a version of a connection as not revoked; an active one takes the flag from the previous active version.
 */
export async function saveConnection(
  tx: Queryable,
  c: Pick<GatewayRow, 'merchantId' | 'mode' | 'pspCode' | 'version' | 'active'> & {
    readonly isVerified: boolean;
  },
): Promise<GatewayRow> {
  if (c.active) await tx.query(dim, [c.merchantId, c.mode]);
  const [row] = await tx.query(upsert, [c.merchantId, c.mode, c.pspCode, c.version, c.active, c.isVerified]);
  if (!row) throw new Error('a saved connection was not returned');
  return fromRow(row);
}

/** Takes connections whose keys the gateway has not confirmed and that are due for another check. */
export async function takeUnverifiedConnections(db: Queryable, limit: number): Promise<GatewayRow[]> {
  return (await db.query(takeUnverified, [limit])).map(fromRow);
}

/** Revokes every version of a gateway's connection; returns those that were not revoked before. */
export async function revokeConnections(
  tx: Queryable,
  merchantId: string,
  mode: Mode,
  pspCode: PspCode,
): Promise<GatewayRow[]> {
  return (await tx.query(revoke, [merchantId, mode, pspCode])).map(fromRow);
}

function fromRow(row: Stored): GatewayRow {
  return {
    merchantId: row.merchant_id,
    mode: row.mode,
    pspCode: row.psp_code,
    version: row.version,
    active: row.active,
    verifiedAt: row.verified_at,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
  };
}
