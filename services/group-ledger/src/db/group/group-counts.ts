import { statement, unprepared, type Queryable } from '@gp/pg';

/** Notes of changed states that one step adds. */
const STEP = 5_000;

// One process counts at a time; the others have nothing to do.
const lockEnd = statement<{ end_day: string }>(
  'ledger.lock-end-of-group-counts',
  `select end_day::text from group_counts_end for update skip locked`,
);
const moveEnd = statement(
  'ledger.move-end-of-group-counts',
  `update group_counts_end
   set end_day = greatest(end_day, coalesce($1::timestamptz + interval '24 hours', $2::timestamptz))`,
);
/** Counting the groups of a day may take longer than the statements of a call. */
const takeTime = unprepared(`set local statement_timeout = '5min'`);

/** Merchants with groups, by mode: each is one look at groups_of_a_merchant. */
const OWNERS = `with recursive owners as (
    (select merchant_id, mode from groups order by merchant_id, mode limit 1)
    union all
    select next.merchant_id, next.mode from owners o cross join lateral (
      select g.merchant_id, g.mode from groups g where (g.merchant_id, g.mode) > (o.merchant_id, o.mode)
      order by g.merchant_id, g.mode limit 1) next
  )`;

const findNextDay = statement<{ settled: string; day: string | null }>(
  'ledger.next-day-of-group-counts',
  `${OWNERS}, settled as (
     select date_trunc('day', clock_timestamp() - make_interval(secs => $2::float8 / 1000), 'UTC') as day
   )
   select s.day::text as settled, date_trunc('day', min(first.created_at), 'UTC')::text as day
   from settled s left join (owners o cross join lateral (
     select created_at from groups g
     where g.merchant_id = o.merchant_id and g.mode = o.mode and g.created_at >= $1
     order by g.created_at limit 1) first) on first.created_at < s.day
   group by s.day`,
);

/** The groups as they are now: what was noted of this day before is in them. */
const countDay = statement(
  'ledger.count-groups-of-a-day',
  `${OWNERS}, noted as (delete from group_count_changes where day = $1)
   insert into group_counts (merchant_id, mode, day, state, groups)
   select g.merchant_id, g.mode, $1, g.state, count(*)
   from owners o join groups g on g.merchant_id = o.merchant_id and g.mode = o.mode
     and g.created_at >= $1 and g.created_at < $1::timestamptz + interval '24 hours'
   group by 1, 2, 4`,
);

/**
 * Counts the groups of the next day of which some were created, if it ended at least `settledMs` ago. Call it in a
 * transaction. Returns whether there may be more.
 */
export async function countNextDay(tx: Queryable, settledMs: number): Promise<boolean> {
  const [end] = await tx.query(lockEnd);
  if (!end) return false;
  await tx.query(takeTime);
  const [next] = await tx.query(findNextDay, [end.end_day, settledMs]);
  if (!next) throw new Error('there is no next day');
  if (next.day !== null) await tx.query(countDay, [next.day]);
  await tx.query(moveEnd, [next.day, next.settled]);
  return next.day !== null;
}

const addNotes = statement<{ notes: bigint }>(
  'ledger.add-group-count-changes',
  `with noted as (
     delete from group_count_changes where id in (
       select id from group_count_changes where day < (select end_day from group_counts_end) order by id limit ${STEP})
     returning merchant_id, mode, day, from_state, to_state
   ), added as (
     insert into group_counts as c (merchant_id, mode, day, state, groups)
     select merchant_id, mode, day, state, sum(change)
     from noted cross join lateral (values (from_state, -1), (to_state, 1)) as changes (state, change)
     group by 1, 2, 3, 4
     on conflict (merchant_id, mode, day, state) do update set groups = c.groups + excluded.groups
   )
   select count(*) as notes from noted`,
);

/**
 * Adds the oldest notes of changed states to the counts of their days. Call it in a transaction. Returns whether there may be
 * more.
 */
export async function addChanges(tx: Queryable): Promise<boolean> {
  const [end] = await tx.query(lockEnd);
  if (!end) return false;
  const [added] = await tx.query(addNotes);
  return Number(added?.notes) === STEP;
}
