import type { GatewayConnection, Mode, PspCode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

const activate = statement(
  'checkout.activate-gateway',
  `insert into active_gateways as g (merchant_id, mode, psp_code, version, revision) values ($1, $2, $3, $4, $5)
   on conflict (merchant_id, mode) do update
     set psp_code = excluded.psp_code, version = excluded.version, revision = excluded.revision
   where excluded.revision > g.revision`,
);
// An announcement that a connection is not active matters only for the one that was active; the others get none.
const deactivate = statement(
  'checkout.deactivate-gateway',
  `update active_gateways set psp_code = null, revision = $5
   where merchant_id = $1 and mode = $2 and psp_code = $3 and version = $4 and revision < $5`,
);
const find = statement<{ psp_code: PspCode | null }>(
  'checkout.find-active-gateway',
  'select psp_code from active_gateways where merchant_id = $1 and mode = $2',
);
// Index: allowed_origins_by_origin.
const findOfOrigin = statement<{ mode: Mode; psp_code: PspCode }>(
  'checkout.find-active-gateways-of-origin',
  `select distinct g.mode, g.psp_code
   from allowed_origins o join active_gateways g using (merchant_id, mode)
   where o.origins @> array[$1::text] and g.psp_code is not null`,
);

/** Stores the announced state of a connection; an older revision changes nothing. */
export async function upsertActiveGateway(db: Queryable, c: GatewayConnection): Promise<void> {
  const values = [c.merchant_id, c.mode, c.psp_code, c.version, c.revision];
  await db.query(c.active ? activate : deactivate, values);
}

/** Returns the gateway of the merchant's next payment, as far as it has been announced. */
export async function findActiveGateway(
  db: Queryable,
  { merchant_id, mode }: { merchant_id: string; mode: Mode },
): Promise<PspCode | undefined> {
  const [row] = await db.query(find, [merchant_id, mode]);
  return row?.psp_code ?? undefined;
}

/** Returns the active gateways of every merchant who registered this origin, which a frame may need. */
export async function findGatewaysOfOrigin(
  db: Queryable,
  origin: string,
): Promise<{ mode: Mode; psp_code: PspCode }[]> {
  return [...(await db.query(findOfOrigin, [origin]))];
}
