import { statement, type Queryable } from '@gp/pg';
import { sqlAhead } from '@gp/test-clock';

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

/**
 * Stores events with one delivery for every matching endpoint and wakes their lanes: one statement, one commit. An event
 * that is stored already changes nothing, so a message may be received any number of times. Rows and lanes are taken in
 * key order, which keeps two of these from deadlocking. An endpoint that is disabled or deleted while this runs is no
 * fault: its lane is closed, and the new deliveries are settled there.
 *
 * An event is listed at the time of its arrival, in the merchant's time, and never before an event that a client has
 * already read: a merchant's places increase from commit to commit, whatever the clocks show, and are taken one commit
 * after the other. Only the events of one commit share a place; the clock is overtaken where it stands still or went back.
 */
const take = statement<{ events: bigint; deliveries: bigint }>(
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
   ), made as (
     insert into deliveries (event_id, endpoint_id, group_id, sequence, status, due_at, created_at)
     select event_id, endpoint_id, group_id, sequence,
            case when enabled then 'pending' else 'held' end,
            case when enabled then received_at end,
            date_trunc('milliseconds', received_at)
     from matched order by endpoint_id, sequence
     returning 1
   ), lane as (
     select endpoint_id from lanes
     where endpoint_id in (select endpoint_id from matched where enabled)
     order by endpoint_id for update
   ), woken as (
     update lanes l set due_at = least(l.due_at, clock_timestamp()) from lane where l.endpoint_id = lane.endpoint_id
   )
   select (select count(*) from stored) as events, (select count(*) from made) as deliveries`,
);

/** Takes events in one statement; returns how many were new and how many deliveries they made. */
export async function takeEvents(
  db: Queryable,
  events: readonly NewEvent[],
): Promise<{ events: number; deliveries: number }> {
  const column = <T>(pick: (event: NewEvent) => T): T[] => events.map(pick);
  const [row] = await db.query(take, [
    column((e) => e.id),
    column((e) => e.merchantId),
    column((e) => e.mode),
    column((e) => e.type),
    column((e) => e.groupId),
    column((e) => e.sequence),
    column((e) => e.payload),
    column((e) => e.traceparent),
    column((e) => e.createdAt),
  ]);
  return { events: Number(row?.events ?? 0n), deliveries: Number(row?.deliveries ?? 0n) };
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
