import { statement, type Queryable } from '@gp/pg';

/** One ended attempt: the next state of the delivery, and the row that the log keeps. */
export type EndedClaim = {
  readonly claim: { readonly event_id: string; readonly endpoint_id: string; readonly claim_id: string };
  /** `resumed`: an attempt that a merchant requested failed; the delivery returns to its former state. */
  readonly status: 'delivered' | 'failed' | 'pending' | 'resumed';
  /** With `pending`: when the next attempt is due, counted from now, ms. */
  readonly waitMs: number | null;
  /** Null when nothing was sent: the delivery is given back and has lost no attempt. */
  readonly attempt: DeliveryAttempt | null;
};

export type DeliveryAttempt = {
  readonly id: string;
  readonly number: number;
  readonly isManual: boolean;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly remoteAddress: string | null;
  readonly timings: object;
  readonly errorClass: string | null;
  readonly httpStatus: number | null;
  readonly responseBody: string | null;
  readonly outcome: string;
  readonly traceId: string | null;
};

/**
 * Ends claims: every row is fenced by the claim id, so the report of a stale worker about a delivery with a new owner
 * changes nothing but the log, where the attempt did happen. Deliveries are locked in key order, then lanes.
 */
const record = statement<{ event_id: string; endpoint_id: string; is_more_due: boolean }>(
  'webhooks.record-outcomes',
  `with outcome as (
     select i.*, clock_timestamp() + make_interval(secs => i.wait_ms / 1000) as next_at
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::float8[], $6::jsonb[])
       as i (event_id, endpoint_id, claim_id, status, wait_ms, log)
   ), mine as (
     select d.event_id, d.endpoint_id, d.resend_due_at from deliveries d
     join outcome o on o.event_id = d.event_id and o.endpoint_id = d.endpoint_id and o.claim_id = d.claim_id
     where d.status = 'sending'
     order by d.event_id, d.endpoint_id for update of d
   ), written as (
     update deliveries d
     set status = case o.status when 'resumed' then d.resend_from else o.status end,
         due_at = case o.status when 'resumed' then d.resend_due_at else o.next_at end,
         claim_id = null, claimed_at = null,
         tries = d.tries + (case when o.log is null then 0 else 1 end),
         attempts = d.attempts + (case when o.log is null or d.resend_from is not null then 0 else 1 end),
         settled_at = case when (case o.status when 'resumed' then d.resend_from else o.status end) <> 'pending'
                      then clock_timestamp() end,
         -- Given back unsent, it is still to be resent.
         resend_from = case when o.log is null then d.resend_from end,
         resend_due_at = case when o.log is null then d.resend_due_at end
     from outcome o join mine m on m.event_id = o.event_id and m.endpoint_id = o.endpoint_id
     where d.event_id = o.event_id and d.endpoint_id = o.endpoint_id and d.claim_id = o.claim_id
     returning d.event_id, d.endpoint_id, d.due_at
   ), lane as (
     select l.endpoint_id, w.due_at from lanes l
     join (select endpoint_id, min(due_at) as due_at from written where due_at is not null group by endpoint_id) w
       on w.endpoint_id = l.endpoint_id
     order by l.endpoint_id for update of l
   ), hinted as (
     update lanes l set due_at = least(l.due_at, lane.due_at) from lane where l.endpoint_id = lane.endpoint_id
   ), logged as (
     insert into attempts (id, event_id, endpoint_id, number, is_manual, url, request_headers, remote_address, timings,
                           error_class, http_status, response_body, outcome, next_attempt_at, trace_id)
     select a.id, o.event_id, o.endpoint_id, a.number, a.is_manual, a.url, a.request_headers, a.remote_address,
            a.timings, a.error_class, a.http_status, a.response_body, a.outcome,
            coalesce(o.next_at, m.resend_due_at), a.trace_id
     from outcome o
     left join mine m on m.event_id = o.event_id and m.endpoint_id = o.endpoint_id and o.status = 'resumed'
     cross join lateral jsonb_to_record(o.log)
       as a (id uuid, number integer, is_manual boolean, url text, request_headers jsonb, remote_address text, timings jsonb,
             error_class text, http_status smallint, response_body text, outcome text, trace_id text)
     where o.log is not null
   )
   select w.event_id, w.endpoint_id, least(l.due_at, w.due_at) <= clock_timestamp() as is_more_due
   from written w join lanes l on l.endpoint_id = w.endpoint_id`,
);

export type RecordedClaim = {
  /** Whether the claim was still the owner of its delivery. */
  readonly isOurs: boolean;
  /** Whether the endpoint has, or may have, another delivery that is due. */
  readonly isMoreDue: boolean;
};

/** Records outcomes in one statement; returns one result each, in their order. */
export async function recordEndedClaims(
  db: Queryable,
  outcomes: readonly EndedClaim[],
): Promise<RecordedClaim[]> {
  const column = <T>(pick: (outcome: EndedClaim) => T): T[] => outcomes.map(pick);
  const rows = await db.query(record, [
    column((o) => o.claim.event_id),
    column((o) => o.claim.endpoint_id),
    column((o) => o.claim.claim_id),
    column((o) => o.status),
    column((o) => o.waitMs),
    column((o) => (o.attempt === null ? null : JSON.stringify(logRow(o.attempt)))),
  ]);
  const written = new Map(rows.map((row) => [formatKey(row), row]));
  return outcomes.map(({ claim }) => {
    const row = written.get(formatKey(claim));
    return { isOurs: row !== undefined, isMoreDue: row?.is_more_due ?? true };
  });
}

const formatKey = (row: { event_id: string; endpoint_id: string }): string =>
  `${row.event_id}/${row.endpoint_id}`;

function logRow(log: DeliveryAttempt) {
  return {
    id: log.id,
    number: log.number,
    is_manual: log.isManual,
    url: log.url,
    request_headers: log.requestHeaders,
    remote_address: log.remoteAddress,
    timings: log.timings,
    error_class: log.errorClass,
    http_status: log.httpStatus,
    response_body: log.responseBody,
    outcome: log.outcome,
    trace_id: log.traceId,
  };
}
