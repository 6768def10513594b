import type { EventType, ListPosition } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';
import { cutPage, toStart, WINDOW, type Page, type Seen } from './page.ts';

export type DeliveryRow = {
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly type: EventType;
  readonly is_test: boolean;
  readonly status: string;
  readonly resend_from: string | null;
  readonly tries: number;
  readonly due_at: Date | null;
  readonly created_at: Date;
  readonly settled_at: Date | null;
};
export type AttemptRow = {
  readonly id: string;
  readonly event_id: string;
  readonly number: number;
  readonly is_manual: boolean;
  readonly url: string;
  readonly request_headers: Record<string, string>;
  readonly remote_address: string | null;
  readonly timings: Record<string, number | null>;
  readonly outcome: string;
  readonly error_class: string | null;
  readonly http_status: number | null;
  readonly response_body: string | null;
  readonly next_attempt_at: Date | null;
};

/** The seven of the retry schedule and one more. A merchant who resends often sees the latest. */
const SHOWN_ATTEMPTS = 8;

const COLUMNS = `d.event_id, d.endpoint_id, v.type, v.is_test, d.status, d.resend_from, d.tries, d.due_at, d.created_at,
            d.settled_at`;

// Read by deliveries_by_endpoint. A delivery that waits to be resent counts under its former status, so its stored status
// may be any open one.
const list = statement<DeliveryRow & Seen>(
  'webhooks.list-deliveries',
  `with scanned as (
     select d.* from deliveries d
     where d.endpoint_id = $1 and (d.created_at, d.event_id) < ($2::timestamptz, $3::uuid)
       and d.status = any ($4::text[] || '{pending,sending}')
     order by d.created_at desc, d.event_id desc limit ${WINDOW}
   ), judged as (
     select ${COLUMNS}, row_number() over (order by d.created_at desc, d.event_id desc) as nth,
            coalesce(d.resend_from, d.status) = any ($4) and ($5::text is null or v.type = $5) as is_wanted
     from scanned d join events v on v.id = d.event_id
   ), counted as (
     select *, count(*) filter (where is_wanted) over (order by nth) as wanted, max(nth) over () as last from judged
   )
   select * from counted where (is_wanted and wanted <= $6::integer + 1) or nth = last
   order by nth`,
);

const find = statement<DeliveryRow>(
  'webhooks.find-delivery',
  `select ${COLUMNS} from deliveries d join events v on v.id = d.event_id
   where d.event_id = $2 and d.endpoint_id = $1`,
);

// A probe of attempts_by_endpoint in every partition for each delivery: a page is short.
const attempts = statement<AttemptRow>(
  'webhooks.list-attempts',
  `select a.* from unnest($2::uuid[]) as wanted (event_id) cross join lateral (
     select id, event_id, number, is_manual, url, request_headers, remote_address, timings, outcome, error_class,
            http_status, response_body, next_attempt_at
     from attempts a where a.endpoint_id = $1 and a.event_id = wanted.event_id
     order by a.id desc limit ${SHOWN_ATTEMPTS}
   ) a order by a.id desc`,
);

/** A page of an endpoint's deliveries, newest first. */
export async function listDeliveries(
  db: Queryable,
  endpointId: string,
  filter: { statuses: readonly string[]; event_type?: string | undefined },
  page: { limit: number; after?: ListPosition | undefined },
): Promise<Page<DeliveryRow>> {
  const values = [endpointId, ...toStart(page.after), filter.statuses, filter.event_type ?? null, page.limit];
  return cutPage(await db.query(list, values), page.limit, (row) => row.event_id);
}

export async function findDelivery(
  db: Queryable,
  endpointId: string,
  eventId: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await db.query(find, [endpointId, eventId]);
  return row;
}

/** The latest attempts of each of these deliveries of one endpoint, newest first. */
export function listAttempts(
  db: Queryable,
  endpointId: string,
  eventIds: readonly string[],
): Promise<AttemptRow[]> {
  return db.query(attempts, [endpointId, eventIds]);
}
