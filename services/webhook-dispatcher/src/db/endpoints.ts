import { MOST_ENDPOINTS } from '@gp/contracts';
import { statement, type Db, type Queryable } from '@gp/pg';

export type Scope = { readonly merchant_id: string; readonly mode: 'test' | 'live' };

export type EndpointRow = {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly event_types: string[];
  readonly created_at: Date;
  readonly updated_at: Date;
};
export type NewEndpoint = Scope &
  Pick<EndpointRow, 'id' | 'url' | 'description' | 'event_types'> & {
    readonly secretKeyId: string;
    readonly secretSealed: Buffer;
  };
/** The changes; a field that is absent stays as it is. */
export type EndpointChange = {
  readonly url?: string | undefined;
  readonly description?: string | null | undefined;
  readonly enabled?: boolean | undefined;
  readonly event_types?: string[] | undefined;
};

const COLUMNS = 'id, url, description, enabled, event_types, created_at, updated_at';
// The wire has milliseconds; the sent and the stored instant must be the same.
const NOW = `date_trunc('milliseconds', clock_timestamp())`;

// Those that come at the same moment do not count one another: a few too many still fit into the list's answer.
const insert = statement<EndpointRow>(
  'webhooks.insert-endpoint',
  `with made as (
     insert into endpoints (id, merchant_id, mode, url, description, event_types, secret_key_id, secret_sealed,
                            created_at, updated_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, t, t from (select ${NOW} as t) now
     where (select count(*) from endpoints where merchant_id = $2 and mode = $3 and deleted_at is null) < ${MOST_ENDPOINTS}
     returning ${COLUMNS}
   ), lane as (insert into lanes (endpoint_id) select id from made)
   select * from made`,
);

// Read by endpoints_by_owner.
const list = statement<EndpointRow>(
  'webhooks.list-endpoints',
  `select ${COLUMNS} from endpoints where merchant_id = $1 and mode = $2 and deleted_at is null
   order by created_at, id`,
);

const find = statement<EndpointRow>(
  'webhooks.find-endpoint',
  `select ${COLUMNS} from endpoints where id = $3 and merchant_id = $1 and mode = $2 and deleted_at is null`,
);

const update = statement<EndpointRow>(
  'webhooks.update-endpoint',
  `update endpoints
   set url = coalesce($4, url),
       description = case when $5 then $6 else description end,
       enabled = coalesce($7, enabled),
       event_types = coalesce($8, event_types),
       updated_at = greatest(${NOW}, updated_at)
   where id = $3 and merchant_id = $1 and mode = $2 and deleted_at is null
   returning ${COLUMNS}`,
);

const remove = statement<{ id: string }>(
  'webhooks.delete-endpoint',
  `update endpoints set deleted_at = ${NOW}, enabled = false, secret_key_id = null, secret_sealed = null
   where id = $3 and merchant_id = $1 and mode = $2 and deleted_at is null
   returning id`,
);

const deleteRetired = statement(
  'webhooks.forget-retired',
  `delete from retired_secrets where endpoint_id = $1`,
);

// A lane is made due now, so that settleClosedLane settles the deliveries that wait in a closed one.
const wakeLane = statement(
  'webhooks.wake-lane',
  `update lanes set due_at = clock_timestamp() where endpoint_id = $1`,
);

/** The endpoint that was made; undefined when the merchant has as many as there may be. */
export async function insertEndpoint(db: Queryable, e: NewEndpoint): Promise<EndpointRow | undefined> {
  const { id, merchant_id, mode, url, description, event_types, secretKeyId, secretSealed } = e;
  const [row] = await db.query(insert, [
    id,
    merchant_id,
    mode,
    url,
    description,
    event_types,
    secretKeyId,
    secretSealed,
  ]);
  return row;
}

/** A merchant's endpoints in one mode, oldest first. */
export function listEndpoints(db: Queryable, { merchant_id, mode }: Scope): Promise<EndpointRow[]> {
  return db.query(list, [merchant_id, mode]);
}

export async function findEndpoint(
  db: Queryable,
  { merchant_id, mode }: Scope,
  id: string,
): Promise<EndpointRow | undefined> {
  const [row] = await db.query(find, [merchant_id, mode, id]);
  return row;
}

export function updateEndpoint(
  db: Db,
  { merchant_id, mode }: Scope,
  id: string,
  change: EndpointChange,
): Promise<EndpointRow | undefined> {
  const values = [
    merchant_id,
    mode,
    id,
    change.url ?? null,
    change.description !== undefined,
    change.description ?? null,
    change.enabled ?? null,
    change.event_types ?? null,
  ];
  return db.transaction(async (tx) => {
    const [row] = await tx.query(update, values);
    if (row && change.enabled !== undefined) await tx.query(wakeLane, [id]);
    return row;
  });
}

/** Ends an endpoint and deletes its secret; returns false when there is none. */
export function deleteEndpoint(db: Db, { merchant_id, mode }: Scope, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [row] = await tx.query(remove, [merchant_id, mode, id]);
    if (row) {
      await tx.query(deleteRetired, [id]);
      await tx.query(wakeLane, [id]);
    }
    return row !== undefined;
  });
}

// Its deliveries went with their events. Foreign keys are checked at the end of the statement.
const reap = statement<{ reaped: bigint }>(
  'webhooks.reap-endpoints',
  `with old as (
     select e.id from endpoints e
     where e.deleted_at < clock_timestamp() - make_interval(days => $1)
       and not exists (select from deliveries d where d.endpoint_id = e.id)
     limit 100
   ), lanes_gone as (delete from lanes l using old where l.endpoint_id = old.id),
   recoveries_gone as (delete from recoveries r using old where r.endpoint_id = old.id),
   gone as (delete from endpoints e using old where e.id = old.id returning 1)
   select count(*) as reaped from gone`,
);

/** Deletes up to 100 endpoints that were ended more than `days` ago; returns how many. */
export async function deleteOldEndpoints(db: Queryable, days: number): Promise<number> {
  const [row] = await db.query(reap, [days]);
  return Number(row?.reaped ?? 0n);
}
