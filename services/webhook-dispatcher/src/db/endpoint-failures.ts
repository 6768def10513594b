import { statement, type Queryable } from '@gp/pg';
import { computeFirstId, ENDED_AT, LATEST } from './attempt-ids.ts';

/** Attempts of this time decide; the longest wait between two attempts of a delivery is 20 hours. */
const SEEN_MS = 24 * 60 * 60 * 1_000;

export type EndpointNewsRow = {
  readonly endpoint_id: string;
  readonly merchant_id: string;
  readonly url: string;
  readonly failing_since: Date;
  readonly noticed_at: Date;
  readonly waiting: bigint;
  readonly given_up: bigint;
  readonly http_status: number | null;
  readonly error_class: string | null;
};

const ATTEMPTS_SINCE_THEN = `a.id >= $1::uuid
     and a.id >= (lpad(to_hex((extract(epoch from f.failing_since) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

// The attempts of an endpoint are read by attempts_by_endpoint, in the partitions since $1.
const deleteEnded = statement(
  'webhooks.delete-ended-failures',
  `delete from endpoint_failures f using endpoints e
   where e.id = f.endpoint_id and (not e.enabled or exists (
     select from attempts a
     where a.endpoint_id = f.endpoint_id and a.outcome = 'acknowledged' and ${ATTEMPTS_SINCE_THEN}))`,
);

// A lane in which something waits is read by lanes_by_due_at, its deliveries by deliveries_open_by_lane. Only endpoints with
// a delivery that was tried and is old enough have their attempts read.
const insertFound = statement(
  'webhooks.insert-endpoint-failures',
  `with suspect as (
     select e.id from lanes l join endpoints e on e.id = l.endpoint_id
     where l.due_at < 'infinity' and e.enabled and e.mode = 'live'
       and not exists (select from endpoint_failures f where f.endpoint_id = e.id)
       and exists (select from deliveries d
                   where d.endpoint_id = e.id and d.status in ('pending', 'sending') and d.attempts > 0
                     and d.created_at < clock_timestamp() - make_interval(secs => $2))
   )
   insert into endpoint_failures (endpoint_id, failing_since)
   select s.id, f.since from suspect s cross join lateral (
     select max(${ENDED_AT}) as at from attempts a
     where a.endpoint_id = s.id and a.outcome = 'acknowledged' and a.id >= $1::uuid
   ) acknowledged cross join lateral (
     select min(${ENDED_AT}) as since from attempts a
     where a.endpoint_id = s.id and a.id >= $1::uuid and ${ENDED_AT} > coalesce(acknowledged.at, '-infinity')
   ) f
   where f.since < clock_timestamp() - make_interval(secs => $2)
   on conflict (endpoint_id) do nothing`,
);

// A delivery is open for a day and a half at most; deliveries_by_endpoint has their status.
const markNews = statement<EndpointNewsRow>(
  'webhooks.mark-endpoint-news',
  `with news as (
     select f.endpoint_id, e.merchant_id, e.url, f.failing_since, g.given_up
     from endpoint_failures f join endpoints e on e.id = f.endpoint_id
     cross join lateral (
       select count(*) as given_up from deliveries d
       where d.endpoint_id = f.endpoint_id and d.created_at >= f.failing_since - interval '2 days'
         and d.status = 'failed' and d.settled_at >= f.failing_since
     ) g
     where f.given_up_noticed_at is null and (f.noticed_at is null or g.given_up > 0)
     order by f.endpoint_id for update of f skip locked
   ), marked as (
     update endpoint_failures f
     set noticed_at = coalesce(f.noticed_at, clock_timestamp()),
         given_up_noticed_at = case when n.given_up > 0 then clock_timestamp() end
     from news n where n.endpoint_id = f.endpoint_id
     returning f.endpoint_id
   )
   select n.*, date_trunc('milliseconds', clock_timestamp()) as noticed_at,
          (select count(*) from deliveries d
           where d.endpoint_id = n.endpoint_id and d.status in ('pending', 'sending')) as waiting,
          t.latest[3]::integer as http_status, t.latest[4] as error_class
   from marked m join news n on n.endpoint_id = m.endpoint_id
   cross join lateral (
     select ${LATEST} as latest from attempts a where a.endpoint_id = n.endpoint_id and a.id >= $1::uuid
   ) t`,
);

/** Forgets the failures of endpoints that have acknowledged something since, or were disabled. */
export async function deleteEndedFailures(tx: Queryable, now: Date): Promise<void> {
  await tx.query(deleteEnded, [computeFirstSeen(now)]);
}

/** Stores each endpoint of live mode that has acknowledged nothing for `forMs`, with failures since before then. */
export async function insertEndpointFailures(tx: Queryable, now: Date, forMs: number): Promise<void> {
  await tx.query(insertFound, [computeFirstSeen(now), forMs / 1_000]);
}

/** Returns the endpoints about which something has to be published, and marks it as published. */
export function markEndpointNews(tx: Queryable, now: Date): Promise<EndpointNewsRow[]> {
  return tx.query(markNews, [computeFirstSeen(now)]);
}

const computeFirstSeen = (now: Date): string => computeFirstId(new Date(now.getTime() - SEEN_MS));
