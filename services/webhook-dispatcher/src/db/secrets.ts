import { statement, type Db, type Queryable } from '@gp/pg';
import { type EndpointRow, type Scope } from './endpoints.ts';

/** Retired secrets that may sign beside the current one: enough for a roll whose answer was lost, and short headers. */
const MOST_RETIRED = 3;

type Rolled = EndpointRow & { readonly retired_until: Date | null };

const lock = statement<{ secret_key_id: string; secret_sealed: Buffer }>(
  'webhooks.lock-endpoint-secret',
  `select secret_key_id, secret_sealed from endpoints
   where id = $3 and merchant_id = $1 and mode = $2 and deleted_at is null
   for update`,
);

const retire = statement(
  'webhooks.retire-secret',
  `insert into retired_secrets (endpoint_id, secret_key_id, secret_sealed, valid_until, retired_at)
   select $1, $2, $3, t + make_interval(secs => $4), t from (select clock_timestamp() as t) now`,
);

// No secret outlives the overlap that was requested last: a secret that leaked ends with overlap 0, also during a longer
// earlier one.
const shorten = statement(
  'webhooks.shorten-overlaps',
  `update retired_secrets set valid_until = least(valid_until, clock_timestamp() + make_interval(secs => $2))
   where endpoint_id = $1`,
);

const deleteSurplus = statement(
  'webhooks.forget-surplus-secrets',
  `delete from retired_secrets where endpoint_id = $1 and (valid_until <= clock_timestamp() or retired_at not in (
     select retired_at from retired_secrets where endpoint_id = $1 order by retired_at desc limit $2))`,
);

const replace = statement<Rolled>(
  'webhooks.replace-secret',
  `update endpoints e set secret_key_id = $2, secret_sealed = $3,
     updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), updated_at)
   where id = $1
   returning id, url, description, enabled, event_types, created_at, updated_at,
     (select max(valid_until) from retired_secrets r where r.endpoint_id = e.id) as retired_until`,
);

const reap = statement<{ reaped: bigint }>(
  'webhooks.reap-retired-secrets',
  `with gone as (delete from retired_secrets where valid_until < clock_timestamp() returning 1)
   select count(*) as reaped from gone`,
);

/** Replaces an endpoint's secret; the one it had goes on signing for `overlapSeconds`. Undefined: no such endpoint. */
export function replaceSecret(
  db: Db,
  { merchant_id, mode }: Scope,
  o: { id: string; keyId: string; sealed: Buffer; overlapSeconds: number },
): Promise<Rolled | undefined> {
  return db.transaction(async (tx) => {
    const [current] = await tx.query(lock, [merchant_id, mode, o.id]);
    if (!current) return undefined;
    await tx.query(shorten, [o.id, o.overlapSeconds]);
    await tx.query(retire, [o.id, current.secret_key_id, current.secret_sealed, o.overlapSeconds]);
    await tx.query(deleteSurplus, [o.id, MOST_RETIRED]);
    const [row] = await tx.query(replace, [o.id, o.keyId, o.sealed]);
    return row;
  });
}

/** Deletes secrets whose overlap is over; returns how many. */
export async function deleteEndedSecrets(db: Queryable): Promise<number> {
  const [row] = await db.query(reap);
  return Number(row?.reaped ?? 0n);
}
