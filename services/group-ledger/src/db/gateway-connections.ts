import type { GatewayConnection } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

// News come with a growing revision per merchant and mode; the active flag moves in the same statement, because the
// index gateway_connections_one_is_active allows one at a time. Older news about a version change nothing.
const upsert = statement(
  'ledger.upsert-connection',
  `with news as (
     select $1::text as merchant_id, $2::text as mode, $3::text as psp_code, $4::integer as version,
            $5::boolean as active, $6::timestamptz as revoked_at, $7::bigint as revision
     where not exists (select from gateway_connections c
                       where c.merchant_id = $1 and c.mode = $2 and c.revision >= $7
                         and ((c.psp_code = $3 and c.version = $4) or ($5 and c.active)))
   ), dimmed as (
     update gateway_connections c set active = false
     from news where news.active and c.merchant_id = news.merchant_id and c.mode = news.mode and c.active
       and (c.psp_code, c.version) <> (news.psp_code, news.version)
     returning 1
   )
   insert into gateway_connections as c (merchant_id, mode, psp_code, version, active, revoked_at, revision)
   select merchant_id, mode, psp_code, version, active, revoked_at, revision from news
   where (select count(*) from dimmed) >= 0
   on conflict (merchant_id, mode, psp_code, version) do update
     set active = excluded.active, revoked_at = excluded.revoked_at, revision = excluded.revision`,
);

const activeGateway = statement<{ psp_code: string }>(
  'ledger.active-gateway',
  `select psp_code from gateway_connections where merchant_id = $1 and mode = $2 and active`,
);

/** Takes news about one connection; old news change nothing. */
export async function upsertConnection(db: Queryable, c: GatewayConnection): Promise<void> {
  const { merchant_id, mode, psp_code, version, active, revoked_at, revision } = c;
  await db.query(upsert, [merchant_id, mode, psp_code, version, active, revoked_at, revision]);
}

/** The gateway new payments of this merchant go to. */
export async function findActiveGateway(
  db: Queryable,
  merchantId: string,
  mode: string,
): Promise<string | undefined> {
  const [row] = await db.query(activeGateway, [merchantId, mode]);
  return row?.psp_code;
}
