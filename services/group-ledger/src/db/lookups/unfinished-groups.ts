import { statement, type Queryable } from '@gp/pg';

/**
 * The states in which a group goes on by itself, or waits for payers or for somebody's decision; the index groups_unfinished
 * repeats them. `partially_paid` is also the last state of a group whose expiry captured what was held (Q90).
 */
export const UNFINISHED = [
  'open',
  'partially_preauthorised',
  'preauthorised',
  'capturing',
  'partially_paid',
  'capture_failed',
  'refunding',
] as const;

/** Beyond this, an exact figure is not needed, and counting is expensive. */
const READ_AT_MOST = 100_000;

// Each state is read along its own part of groups_unfinished, as far as the limit. What an expiry captured completely is
// finished; the limit counts it all the same, so that the cost has a bound.
const count = statement<{ mode: 'test' | 'live'; state: string; groups: number }>(
  'ledger.unfinished-groups',
  `select m.mode, s.state, c.groups
   from unnest(array['test', 'live']) as m (mode) cross join unnest($1::text[]) as s (state)
   cross join lateral (
     select count(*)::float8 as groups from (
       select g.id, g.state, g.expired_at from groups g
       where g.mode = m.mode and g.state = s.state
         and g.state in (${UNFINISHED.map((state) => `'${state}'`).join(', ')})
       limit ${READ_AT_MOST}
     ) as read
     where not (
       read.state = 'partially_paid' and read.expired_at is not null and not exists (
         select from orders o where o.group_id = read.id and o.kind = 'capture' and o.state <> 'captured'
       )
     )
   ) as c`,
);

/** Returns how many groups are unfinished in each state, of up to 100,000 that are read for each. */
export function countUnfinishedGroups(
  q: Queryable,
): Promise<{ readonly mode: 'test' | 'live'; readonly state: string; readonly groups: number }[]> {
  return q.query(count, [UNFINISHED]);
}
