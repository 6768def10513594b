import { statement, type Queryable } from '@gp/pg';

// Index: allowed_origins_by_origin.
const findAnybodys = statement<{ found: boolean }>(
  'api-gateway.find-anybodys-origin',
  'select exists (select from allowed_origins where origins @> array[$1::text]) as found',
);

/** Returns true when any merchant registered this origin, in any mode. */
export async function isOriginRegisteredByAnyone(db: Queryable, origin: string): Promise<boolean> {
  const [row] = await db.query(findAnybodys, [origin]);
  return row?.found ?? false;
}
