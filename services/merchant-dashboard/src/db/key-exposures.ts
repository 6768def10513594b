import type { KeyExposure } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

/** An origin at which a key was seen, with its count and times. */
export type Exposure = {
  readonly keyId: string;
  readonly origin: string;
  readonly count: number;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
};

/**
 * Origins stored for one key; further, possibly invented ones are counted together, so that they cannot fill the
 * table.
 */
const MOST_ORIGINS = 20;
const OTHERS = '(others)';

// Only for a key of this merchant and mode. `xmax = 0` distinguishes an inserted row from an updated one.
const add = statement<{ is_new: boolean }>(
  'dashboard.add-key-exposure',
  `insert into key_exposures as e (key_id, origin, count, first_seen_at, last_seen_at)
   select k.id, case when exists (select from key_exposures where key_id = k.id and origin = $4)
       or (select count(*) from key_exposures where key_id = k.id) < ${MOST_ORIGINS}
     then $4 else '${OTHERS}' end, $5, $6, $7
   from api_keys k where k.id = $1 and k.merchant_id = $2 and k.mode = $3
   on conflict (key_id, origin) do update set count = e.count + excluded.count,
     first_seen_at = least(e.first_seen_at, excluded.first_seen_at),
     last_seen_at = greatest(e.last_seen_at, excluded.last_seen_at)
   returning (xmax = 0) as is_new`,
);
const list = statement<{
  key_id: string;
  origin: string;
  count: bigint;
  first_seen_at: Date;
  last_seen_at: Date;
}>(
  'dashboard.list-key-exposures',
  `select key_id, origin, count, first_seen_at, last_seen_at from key_exposures
   where key_id = any($1::uuid[]) order by last_seen_at desc, origin`,
);

/** Adds sightings to the stored ones; returns whether the key was seen there for the first time. */
export async function addExposure(tx: Queryable, exposure: KeyExposure): Promise<boolean> {
  const { key_id, merchant_id, mode, origin, count, first_seen_at, last_seen_at } = exposure;
  const values = [key_id, merchant_id, mode, origin, count, first_seen_at, last_seen_at];
  return (await tx.query(add, values))[0]?.is_new ?? false;
}

/** Returns where these keys were seen, the latest first. */
export async function listExposures(db: Queryable, keyIds: readonly string[]): Promise<Exposure[]> {
  const rows = await db.query(list, [keyIds]);
  return rows.map((row) => ({
    keyId: row.key_id,
    origin: row.origin,
    count: Number(row.count),
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
  }));
}
