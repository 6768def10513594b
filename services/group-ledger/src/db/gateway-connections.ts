import type { GatewayConnection, PspCode } from '@gp/contracts';
import { statement, type Db, type Queryable } from '@gp/pg';

// Changes of one merchant's connections in a mode are applied one at a time: the next statement sees all earlier ones.
const lockConnections = statement(
  'ledger.lock-connections',
  `select pg_advisory_xact_lock(hashtextextended('gateway_connections:' || $1 || ':' || $2, 0))`,
);

// The dashboard reports that a connection became the active one, never that another ceased to be: the flag moves here.
// A late change moves it too, but only away from a connection that was made active before it. It moves in one statement,
// the old one first, because gateway_connections_one_is_active allows one at a time.
const upsert = statement(
  'ledger.upsert-connection',
  `with deactivated as (
     update gateway_connections set active = false
     where $5 and active and activated_revision < $7
       and merchant_id = $1 and mode = $2 and (psp_code, version) <> ($3, $4)
     returning 1
   )
   insert into gateway_connections as c (merchant_id, mode, psp_code, version, revoked_at, revision, activated_revision, active)
   select $1::text, $2::text, $3::text, $4::integer, $6::timestamptz, $7::bigint, case when $5 then $7 else 0 end,
          $5::boolean and not exists (
            select from gateway_connections o
            where o.merchant_id = $1 and o.mode = $2 and (o.psp_code, o.version) <> ($3, $4) and o.activated_revision > $7)
   where (select count(*) from deactivated) >= 0
   on conflict (merchant_id, mode, psp_code, version) do update
     set active = case when excluded.revision > c.revision then excluded.active else c.active end,
         revoked_at = case when excluded.revision > c.revision then excluded.revoked_at else c.revoked_at end,
         revision = greatest(c.revision, excluded.revision),
         activated_revision = greatest(c.activated_revision, excluded.activated_revision)`,
);

const activeGateway = statement<{ psp_code: PspCode }>(
  'ledger.active-gateway',
  `select psp_code from gateway_connections where merchant_id = $1 and mode = $2 and active`,
);

/** Stores a change of one connection. Changes may come in any order and repeatedly: the newest one is kept. */
export async function upsertConnection(db: Db, c: GatewayConnection): Promise<void> {
  const { merchant_id, mode, psp_code, version, active, revoked_at, revision } = c;
  await db.transaction(async (tx) => {
    await tx.query(lockConnections, [merchant_id, mode]);
    await tx.query(upsert, [merchant_id, mode, psp_code, version, active, revoked_at, revision]);
  });
}

/** Returns the gateway that new payments of this merchant use. */
export async function findActiveGateway(
  db: Queryable,
  merchantId: string,
  mode: string,
): Promise<PspCode | undefined> {
  const [row] = await db.query(activeGateway, [merchantId, mode]);
  return row?.psp_code;
}
