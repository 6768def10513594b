import type { EventType } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';
import { computeFirstId, ENDED_AT, LATEST } from './attempt-ids.ts';
import type { Scope } from './endpoints.ts';

export type GroupDeliveryRow = {
  readonly event_id: string;
  readonly event_type: EventType;
  readonly endpoint_id: string;
  readonly url: string;
  readonly status: string;
  readonly tries: number;
  readonly due_at: Date | null;
  readonly traceparent: string | null;
  readonly created_at: Date;
  readonly settled_at: Date | null;
};

// Read by events_by_group; a group has tens of events, an account few endpoints.
const ofGroup = statement<GroupDeliveryRow>(
  'webhooks.list-deliveries-of-group',
  `select v.id as event_id, v.type as event_type, p.id as endpoint_id, p.url, coalesce(d.resend_from, d.status) as status,
          d.tries, case when d.status = 'pending' then d.due_at end as due_at, v.traceparent, d.created_at, d.settled_at
   from events v join deliveries d on d.event_id = v.id join endpoints p on p.id = d.endpoint_id
   where v.group_id = $3 and v.merchant_id = $1 and v.mode = $2 and not v.is_test and p.deleted_at is null
     and d.status <> 'cancelled'
   order by v.sequence, p.created_at limit 500`,
);

// Reads the partitions since then, each by attempts_by_endpoint.
const byDay = statement<{ day: string; acknowledged: bigint; failed: bigint }>(
  'webhooks.sum-attempts-by-day',
  `select to_char(${ENDED_AT} at time zone 'UTC', 'YYYY-MM-DD') as day,
          count(*) filter (where a.outcome = 'acknowledged') as acknowledged,
          count(*) filter (where a.outcome <> 'acknowledged') as failed
   from endpoints p join attempts a on a.endpoint_id = p.id
   where p.merchant_id = $1 and p.mode = $2 and p.deleted_at is null and a.id >= $3::uuid
   group by 1 order by 1`,
);
export type EndpointHealthRow = {
  readonly endpoint_id: string;
  readonly acknowledged: bigint;
  readonly failed: bigint;
  readonly pending: bigint;
  readonly held: bigint;
  readonly last_acknowledged_at: Date | null;
  readonly failing_since: Date | null;
  readonly last_http_status: number | null;
  readonly last_error_class: string | null;
  readonly next_attempt_at: Date | null;
};
// An endpoint whose latest request was acknowledged has its attempts read once, another one twice.
const ofEndpoints = statement<EndpointHealthRow>(
  'webhooks.health-of-endpoints',
  `select p.id as endpoint_id, coalesce(t.acknowledged, 0) as acknowledged, coalesce(t.failed, 0) as failed,
          (select count(*) from deliveries d where d.endpoint_id = p.id and d.status in ('pending', 'sending')) as pending,
          (select count(*) from deliveries d where d.endpoint_id = p.id and d.status = 'held') as held,
          t.last_acknowledged_at, f.failing_since, t.latest[3]::integer as last_http_status,
          t.latest[4] as last_error_class,
          (select d.due_at from deliveries d where d.endpoint_id = p.id and d.status in ('pending', 'sending')
           order by d.due_at limit 1) as next_attempt_at
   from endpoints p left join lateral (
     select count(*) filter (where a.outcome = 'acknowledged') as acknowledged,
            count(*) filter (where a.outcome <> 'acknowledged') as failed,
            max(${ENDED_AT}) filter (where a.outcome = 'acknowledged') as last_acknowledged_at, ${LATEST} as latest
     from attempts a where a.endpoint_id = p.id and a.id >= $3::uuid
   ) t on true left join lateral (
     select min(${ENDED_AT}) as failing_since from attempts a
     where t.latest[2] <> 'acknowledged' and a.endpoint_id = p.id and a.id >= $3::uuid
       and ${ENDED_AT} > coalesce(t.last_acknowledged_at, '-infinity')
   ) f on true
   where p.merchant_id = $1 and p.mode = $2 and p.deleted_at is null
   order by p.created_at, p.id`,
);

/** The deliveries of a group's events, in the order of the events. */
export function listOfGroup(q: Queryable, { merchant_id, mode }: Scope, groupId: string) {
  return q.query(ofGroup, [merchant_id, mode, groupId]);
}

/** Requests to a merchant's endpoints by UTC day since an instant. */
export function sumByDay(q: Queryable, { merchant_id, mode }: Scope, since: Date) {
  return q.query(byDay, [merchant_id, mode, computeFirstId(since)]);
}

/** How each endpoint has been doing since an instant, and what waits for it. */
export function findEndpointHealth(q: Queryable, { merchant_id, mode }: Scope, since: Date) {
  return q.query(ofEndpoints, [merchant_id, mode, computeFirstId(since)]);
}
