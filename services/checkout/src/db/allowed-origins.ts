import type { Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

const isRegistered = statement<{ found: boolean }>(
  'checkout.is-origin-of-merchant',
  `select exists (
     select from allowed_origins where merchant_id = $1 and mode = $2 and origins @> array[$3::text]
   ) as found`,
);
// Index: allowed_origins_by_origin.
const isRegisteredByAnyone = statement<{ found: boolean }>(
  'checkout.is-anybodys-origin',
  'select exists (select from allowed_origins where origins @> array[$1::text]) as found',
);

/** Longer than any host name with its port; a longer origin is not looked up. */
const LONGEST_ORIGIN = 270;

/** Returns true when a merchant registered this origin in this mode. */
export async function isRegisteredOrigin(
  db: Queryable,
  owner: { merchant_id: string; mode: Mode },
  origin: string,
): Promise<boolean> {
  if (origin.length > LONGEST_ORIGIN) return false;
  const [row] = await db.query(isRegistered, [owner.merchant_id, owner.mode, origin]);
  return row?.found ?? false;
}

/** Returns true when any merchant registered this origin, in any mode. */
export async function isOriginRegisteredByAnyone(db: Queryable, origin: string): Promise<boolean> {
  if (origin.length > LONGEST_ORIGIN) return false;
  const [row] = await db.query(isRegisteredByAnyone, [origin]);
  return row?.found ?? false;
}
