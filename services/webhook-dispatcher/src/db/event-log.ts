import type { ListPosition } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';
import type { Scope } from './endpoints.ts';
import { cutPage, toStart, WINDOW, type Page, type Seen } from './page.ts';

type EventRow = Seen & { readonly id: string; readonly payload: string };
export type EventFilter = {
  readonly types: readonly string[];
  readonly group_payment_id?: string | undefined;
  readonly created_after?: string | undefined;
  readonly created_before?: string | undefined;
  readonly delivered?: boolean | undefined;
};

// A delivery that is being resent keeps the status that it had before.
const DELIVERED = `exists (select from deliveries d where d.event_id = s.id
                      and coalesce(d.resend_from, d.status) = 'delivered')
       and not exists (select from deliveries d where d.event_id = s.id
                         and coalesce(d.resend_from, d.status) in ('pending', 'sending', 'failed', 'held'))`;

/** Lists by a place in the list, an SQL expression over `events`. */
const listing = (place: string, ofGroup = ''): string => `with scanned as (
     select id, payload, ${place} as created_at from events
     where merchant_id = $1 and mode = $2 and not is_test and type = any ($3::text[]) ${ofGroup}
       and ${place} >= $4 and ${place} <= $5 and (${place}, id) < ($6::timestamptz, $7::uuid)
     order by ${place} desc, id desc limit ${WINDOW}
   ), judged as (
     select s.*, $8::boolean is null or $8 = (${DELIVERED}) as is_wanted,
            row_number() over (order by created_at desc, id desc) as nth
     from scanned s
   ), counted as (
     select *, count(*) filter (where is_wanted) over (order by nth) as wanted, max(nth) over () as last from judged
   )
   select id, payload, created_at, is_wanted, nth from counted
   where (is_wanted and wanted <= $9::integer + 1) or nth = last
   order by nth`;

/** The place of an event in the order of arrival. */
export const ARRIVAL = 'coalesce(listed_at, created_at)';
const OF_GROUP = 'and group_id = $10::uuid';

// A list without an end is read again and again by clients that look for what is new: nothing may appear behind them. One
// with an end is of a period of creation. Read by events_by_arrival, events_by_owner, and events_by_group.
const list = statement<EventRow>('webhooks.list-events', listing(ARRIVAL));
const listOfGroup = statement<EventRow>('webhooks.list-events-of-group', listing(ARRIVAL, OF_GROUP));
const listPeriod = statement<EventRow>('webhooks.list-events-of-period', listing('created_at'));
const listPeriodOfGroup = statement<EventRow>(
  'webhooks.list-events-of-group-and-period',
  listing('created_at', OF_GROUP),
);

const find = statement<{ payload: string }>(
  'webhooks.find-event',
  `select payload from events where id = $3 and merchant_id = $1 and mode = $2 and not is_test`,
);

/** Returns a page of a merchant's events, newest first: by arrival, or by creation where the period has an end. */
export async function listEvents(
  db: Queryable,
  { merchant_id, mode }: Scope,
  filter: EventFilter,
  page: { limit: number; after?: ListPosition | undefined },
): Promise<Page<EventRow>> {
  const values = [
    merchant_id,
    mode,
    filter.types,
    filter.created_after ?? '-infinity',
    filter.created_before ?? 'infinity',
    ...toStart(page.after),
    filter.delivered ?? null,
    page.limit,
  ];
  const { group_payment_id: group, created_before: end } = filter;
  const rows =
    group === undefined
      ? await db.query(end === undefined ? list : listPeriod, values)
      : await db.query(end === undefined ? listOfGroup : listPeriodOfGroup, [...values, group]);
  return cutPage(rows, page.limit, (row) => row.id);
}

/** The text an event was sent as. */
export async function findEventPayload(
  db: Queryable,
  { merchant_id, mode }: Scope,
  id: string,
): Promise<string | undefined> {
  const [row] = await db.query(find, [merchant_id, mode, id]);
  return row?.payload;
}
