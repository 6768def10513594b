import { statement, type Queryable } from '@gp/pg';
import { sqlAhead } from '@gp/test-clock';
import { uuidv7 } from 'uuidv7';
import { sqlRetiredSecrets, type Claim } from './claims.ts';

/** An event as it is stored: `payload` is the text every receiver is sent. */
export type NewEvent = {
  readonly id: string;
  readonly merchantId: string;
  readonly mode: 'test' | 'live';
  readonly type: string;
  readonly groupId: string;
  readonly sequence: number;
  readonly payload: string;
  /** As the payload has it, ISO 8601. */
  readonly createdAt: string;
  readonly traceparent: string | null;
};

/** Deliveries that are claimed in the commit that stores them. */
export type ClaimAtOnce = {
  readonly claimId: string;
  /** Most deliveries to claim. */
  readonly most: number;
  readonly leaseMs: number;
  /** Lanes to leave alone. */
  readonly closed: readonly string[];
};

/** What became of a batch of events. */
export type TakenEvents = {
  /** Events that were new. */
  readonly events: number;
  /** Deliveries that they made, those claimed at once included. */
  readonly deliveries: number;
  readonly claims: readonly Claim[];
};

type ClaimedAtOnce = Pick<
  Claim,
  | 'event_id'
  | 'endpoint_id'
  | 'url'
  | 'secret_key_id'
  | 'secret_sealed'
  | 'retired_key_ids'
  | 'retired_sealed'
>;

type TakenRow = { readonly events: bigint; readonly deliveries: bigint } & (
  ClaimedAtOnce | { readonly event_id: null }
);

/**
 * Stores events with one delivery for every matching endpoint and wakes their lanes: one statement, one commit. An event
 * that is stored already changes nothing, so a message may be received any number of times. Rows and lanes are taken in
 * key order, which keeps two of these from deadlocking. An endpoint that is disabled or deleted while this runs is no
 * fault: its lane is closed, and the new deliveries are settled there.
 *
 * An event is listed at the time of its arrival, in the merchant's time, and never before an event that a client has
 * already read: a merchant's places increase from commit to commit, whatever the clocks show, and are taken one commit
 * after the other. Only the events of one commit share a place; the clock is overtaken where it stands still or went back.
 *
 * A lane without an open delivery has room, and nothing in it goes before the new delivery: that one is claimed here, which
 * saves the claim's own transaction. The snapshot shows whether the lane is empty, so it counts only where the locked lane
 * is still the one of the snapshot: each claim changes served_at, and everything else that makes deliveries due wakes the
 * lane.
 */
const take = statement<TakenRow>(
  'webhooks.take-events',
  `with taken as (
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::integer[], $7::text[],
                          $8::text[], $9::timestamptz[])
       as i (id, merchant_id, mode, type, group_id, sequence, payload, traceparent, created_at)
   ), arrival as (
     insert into arrivals as a (merchant_id, mode, last_at)
     select merchant_id, mode,
            greatest(max(created_at),
                     date_trunc('milliseconds', clock_timestamp() + ${sqlAhead('t.merchant_id', 't.mode')}))
     from taken t group by merchant_id, mode order by merchant_id, mode
     on conflict (merchant_id, mode) do update
       set last_at = greatest(a.last_at + interval '1 millisecond', excluded.last_at)
     returning a.merchant_id, a.mode, a.last_at
   ), stored as (
     insert into events (id, merchant_id, mode, type, group_id, sequence, payload, traceparent, created_at,
                         received_at, listed_at)
     select t.*, clock_timestamp(), a.last_at
     from taken t join arrival a on a.merchant_id = t.merchant_id and a.mode = t.mode
     order by t.id
     on conflict (id) do nothing
     returning id, merchant_id, mode, type, group_id, sequence, received_at
   ), matched as (
     select s.id as event_id, p.id as endpoint_id, p.enabled, s.group_id, s.sequence, s.received_at
     from stored s
     join endpoints p on p.merchant_id = s.merchant_id and p.mode = s.mode and p.deleted_at is null
       and (p.event_types = '{}' or s.type = any (p.event_types))
   ), lane as (
     select endpoint_id, due_at, served_at from lanes
     where endpoint_id in (select endpoint_id from matched where enabled)
     order by endpoint_id for update
   ), first as (
     select distinct on (m.endpoint_id) m.event_id, m.endpoint_id,
            clock_timestamp() + make_interval(secs => $12::float8 / 1000) as lease_ends_at
     from matched m
     join lane on lane.endpoint_id = m.endpoint_id
     join lanes seen on seen.endpoint_id = lane.endpoint_id and seen.served_at = lane.served_at
     where lane.due_at > clock_timestamp() and lane.endpoint_id <> all ($13::uuid[])
       and not exists (select from deliveries d
                       where d.endpoint_id = lane.endpoint_id and d.status in ('pending', 'sending'))
       and (m.sequence = 1
            or exists (select from events v where v.group_id = m.group_id and v.sequence = m.sequence - 1)
            or exists (select from stored s where s.group_id = m.group_id and s.sequence = m.sequence - 1))
     order by m.endpoint_id, m.sequence, m.event_id
     limit $11
   ), made as (
     insert into deliveries (event_id, endpoint_id, group_id, sequence, status, due_at, created_at, claim_id, claimed_at)
     select m.event_id, m.endpoint_id, m.group_id, m.sequence,
            case when not m.enabled then 'held' when f.event_id is null then 'pending' else 'sending' end,
            case when m.enabled then coalesce(f.lease_ends_at, m.received_at) end,
            date_trunc('milliseconds', m.received_at),
            case when f.event_id is not null then $10::uuid end,
            case when f.event_id is not null then clock_timestamp() end
     from matched m left join first f on f.event_id = m.event_id and f.endpoint_id = m.endpoint_id
     order by m.endpoint_id, m.sequence
     returning endpoint_id, due_at, claim_id
   ), woken as (
     update lanes l
     set due_at = least(l.due_at, w.due_at), served_at = case when w.is_served then clock_timestamp() else l.served_at end
     from lane join (
       select endpoint_id, min(due_at) as due_at, bool_or(claim_id is not null) as is_served
       from made where due_at is not null group by endpoint_id
     ) w on w.endpoint_id = lane.endpoint_id
     where l.endpoint_id = lane.endpoint_id
   )
   select taken.events, taken.deliveries, claimed.*
   from (select (select count(*) from stored) as events, (select count(*) from made) as deliveries) taken
   left join (
     select f.event_id, f.endpoint_id, e.url, e.secret_key_id, e.secret_sealed,
            retired.key_ids as retired_key_ids, retired.sealed as retired_sealed
     from first f join endpoints e on e.id = f.endpoint_id cross join lateral (${sqlRetiredSecrets('f.endpoint_id')}) retired
   ) claimed on true`,
);

/**
 * Takes events in one statement, and claims deliveries of lanes that have no open ones; commits before anything is sent.
 */
export async function takeEvents(
  db: Queryable,
  events: readonly NewEvent[],
  claim: ClaimAtOnce = NO_CLAIM,
): Promise<TakenEvents> {
  const column = <T>(pick: (event: NewEvent) => T): T[] => events.map(pick);
  const rows = await db.query(take, [
    column((e) => e.id),
    column((e) => e.merchantId),
    column((e) => e.mode),
    column((e) => e.type),
    column((e) => e.groupId),
    column((e) => e.sequence),
    column((e) => e.payload),
    column((e) => e.traceparent),
    column((e) => e.createdAt),
    claim.claimId,
    claim.most,
    claim.leaseMs,
    claim.closed,
  ]);
  const byId = new Map(events.map((event) => [event.id, event]));
  return {
    events: Number(rows[0]?.events ?? 0n),
    deliveries: Number(rows[0]?.deliveries ?? 0n),
    claims: rows.flatMap((row) => {
      const event = row.event_id === null ? undefined : byId.get(row.event_id);
      return event && row.event_id !== null ? [toClaim(row, event, claim.claimId)] : [];
    }),
  };
}

/** Claims nothing. */
export const NO_CLAIM: ClaimAtOnce = { claimId: uuidv7(), most: 0, leaseMs: 0, closed: [] };

function toClaim(row: ClaimedAtOnce, event: NewEvent, claimId: string): Claim {
  return {
    event_id: row.event_id,
    endpoint_id: row.endpoint_id,
    claim_id: claimId,
    attempts: 0,
    tries: 0,
    is_manual: false,
    merchant_id: event.merchantId,
    mode: event.mode,
    group_id: event.groupId,
    type: event.type,
    is_test: false,
    payload: event.payload,
    traceparent: event.traceparent,
    url: row.url,
    secret_key_id: row.secret_key_id,
    secret_sealed: row.secret_sealed,
    retired_key_ids: row.retired_key_ids,
    retired_sealed: row.retired_sealed,
  };
}

// Age by events_by_age, deliveries by the head of their key. Only what is settled or held goes: an open delivery
// keeps its event, whatever its age.
const reap = statement<{ reaped: bigint }>(
  'webhooks.reap-events',
  `with old as (
     select id from events e
     where received_at < clock_timestamp() - make_interval(days => $1)
       and not exists (select from deliveries d where d.event_id = e.id and d.status in ('pending', 'sending'))
     limit 500 for update skip locked
   ), deliveries_gone as (delete from deliveries d using old where d.event_id = old.id),
   gone as (delete from events e using old where e.id = old.id returning 1)
   select count(*) as reaped from gone`,
);

/** Deletes up to 500 events older than `days` with their deliveries; returns how many. */
export async function deleteOldEvents(db: Queryable, days: number): Promise<number> {
  const [row] = await db.query(reap, [days]);
  return Number(row?.reaped ?? 0n);
}
