import { statement, type Queryable } from '@gp/pg';

/** The states from which a group goes on by itself, or waits for payers; the index groups_unfinished repeats them. */
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
const COUNTED_AT_MOST = 100_000;

// Each state is counted along its own part of groups_unfinished, as far as the limit.
const count = statement<{ mode: 'test' | 'live'; state: string; groups: number }>(
  'ledger.unfinished-groups',
  `select m.mode, s.state, c.groups
   from unnest(array['test', 'live']) as m (mode) cross join unnest($1::text[]) as s (state)
   cross join lateral (
     select count(*)::float8 as groups from (
       select from groups g
       where g.mode = m.mode and g.state = s.state
         and g.state in (${UNFINISHED.map((state) => `'${state}'`).join(', ')})
       limit ${COUNTED_AT_MOST}
     ) as counted
   ) as c`,
);

/** How many groups are in each unfinished state, up to 100,000 each. */
export function countUnfinishedGroups(
  q: Queryable,
): Promise<{ readonly mode: 'test' | 'live'; readonly state: string; readonly groups: number }[]> {
  return q.query(count, [UNFINISHED]);
}
