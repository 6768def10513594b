import { statement, type Queryable } from '@gp/pg';

type Mode = 'test' | 'live';
export type ByMode = { readonly mode: Mode; readonly payments: number };
export type UnknownOutcomes = ByMode & { readonly psp_code: string; readonly operation: string };

/** A release that goes well takes seconds: what is younger is no drift. */
const RELEASE_SECONDS = 60;
/** Longer than the life of a hold at any gateway. */
const HOLD_DAYS = 8;
/** Groups searched for a hold that was never released; where there are more, the newest ones suffice. */
const ENDED_AT_MOST = 100_000;

// Holds without a use: their release was ordered a minute ago and is not confirmed (reads
// orders_releases_open), or, which no decision writes, nothing was ordered when their group ended (reads
// groups_ended_uncollected and intents_of_a_group).
const withoutGroup = statement<ByMode>(
  'ledger.drift-holds-without-group',
  `with released as (
     select g.mode, o.attempt_id from orders o join groups g on g.id = o.group_id
     where o.kind = 'void' and o.state in ('started', 'waiting', 'unknown')
       and o.requested_at < clock_timestamp() - make_interval(secs => ${RELEASE_SECONDS})
   ), ended as (
     select id, mode from groups
     where coalesce(expired_at, cancelled_at) > clock_timestamp() - make_interval(days => ${HOLD_DAYS})
     order by coalesce(expired_at, cancelled_at) desc limit ${ENDED_AT_MOST}
   ), forgotten as (
     select ended.mode, i.winning_attempt_id as attempt_id from ended join intents i on i.group_id = ended.id
     where i.state = 'preauthorised'
   )
   select mode, count(*)::float8 as payments from (select * from released union select * from forgotten) as holds
   group by mode`,
);

// Reads orders_releases_open.
const unconfirmed = statement<ByMode>(
  'ledger.drift-voids-unconfirmed',
  `select g.mode, count(*)::float8 as payments from orders o join groups g on g.id = o.group_id
   where o.kind = 'void' and o.state in ('started', 'waiting', 'unknown')
     and o.requested_at < clock_timestamp() - interval '1 hour'
   group by g.mode`,
);

// Reads operator_tasks_open.
const differing = statement<ByMode>(
  'ledger.drift-books-differ',
  `select mode, count(*)::float8 as payments from operator_tasks
   where code = 'books_differ' and resolved_at is null group by mode`,
);

// Reads intents_unknown.
const unknown = statement<UnknownOutcomes>(
  'ledger.unknown-outcomes',
  `select g.mode, i.psp_code, count(*)::float8 as payments,
     case i.state when 'capture_pending' then 'capture' when 'refund_pending' then 'refund'
                  when 'void_pending' then 'void' else 'authorise' end as operation
   from intents i join groups g on g.id = i.group_id where i.unknown group by 1, 2, 4`,
);

/** Holds that no living group counts, a minute after their release was ordered or their group ended. */
export const findHoldsWithoutGroup = (q: Queryable): Promise<ByMode[]> => q.query(withoutGroup);

/** Releases ordered an hour ago that the gateway did not confirm. */
export const findUnconfirmedVoids = (q: Queryable): Promise<ByMode[]> => q.query(unconfirmed);

/** Payments that differ between ledger and gateway in a finished comparison, until an operator explains it. */
export const findDifferingPayments = (q: Queryable): Promise<ByMode[]> => q.query(differing);

/** Payments with an unknown outcome at the gateway. */
export const findUnknownOutcomes = (q: Queryable): Promise<UnknownOutcomes[]> => q.query(unknown);
