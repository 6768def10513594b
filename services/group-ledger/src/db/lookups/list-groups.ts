import type { ListPosition } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';
import type { GroupJson } from '../group/group.row.ts';
import { refuseBadInput } from '../group/refusals.ts';
import {
  isOfState,
  isOfUnknownRarity,
  listConditions,
  type Condition,
  type SelectiveFilter,
} from './group-conditions.ts';

export type ListFilter = SelectiveFilter & {
  readonly merchantId: string;
  readonly mode: string;
  readonly createdAfter: string | null;
  readonly createdBefore: string | null;
  /** With a selective condition, counting reads all that match, for every page again. */
  readonly withoutTotal: boolean;
  readonly limit: number;
  readonly offset: number;
  /** Only those behind this place; the offset does not count then. */
  readonly after: ListPosition | null;
};

const FILTER = `merchant_id = $1 and mode = $2
   and ($3::timestamptz is null or created_at >= $3) and ($4::timestamptz is null or created_at <= $4)`;

/**
 * Counts what FILTER selects, where `ofState` asks for it of the groups in the state $5: whole days that were counted before from
 * their counts and the noted changes, what was created before them (`first_day`) and since (`cut`) from the groups. All of it is one
 * snapshot.
 */
const countByDays = (ofState: string): string => `with asked as (
     select coalesce($3::timestamptz, '-infinity') as after, coalesce($4::timestamptz, 'infinity') as before
   ), days as (
     select after, before, date_trunc('day', before, 'UTC') as last_day,
            case date_trunc('day', after, 'UTC') when after then after
                 else date_trunc('day', after, 'UTC') + interval '24 hours' end as first_day
     from asked
   ), bounds as (
     select after, before, first_day,
            greatest(first_day, least(last_day, (select end_day from group_counts_end))) as cut
     from days
   )
   select coalesce((
     select sum(groups) from group_counts
     where merchant_id = $1 and mode = $2 and day >= first_day and day < cut${ofState}
   ), 0)::bigint + (
     select coalesce(sum(change), 0)::bigint
     from group_count_changes cross join lateral (values (from_state, -1), (to_state, 1)) as changes (state, change)
     where merchant_id = $1 and mode = $2 and day >= first_day and day < cut${ofState}
   ) + (
     select count(*) from groups
     where merchant_id = $1 and mode = $2 and created_at >= after and created_at < first_day and created_at <= before${ofState}
   ) + (
     select count(*) from groups
     where merchant_id = $1 and mode = $2 and created_at >= cut and created_at <= before${ofState}
   ) as total from bounds`;

/** Builds the three statements of a list with these conditions. The first four parameters are those of FILTER. */
function buildStatements(conditions: readonly Condition[]) {
  let next = 5;
  const number = (): string => `$${next++}`;
  const where = [FILTER, ...conditions.map(({ write }) => write(number))].join(' and ');
  const name = conditions.map((condition) => `-${condition.name}`).join('');
  const writePage = conditions.some(isOfUnknownRarity) ? writePageOfMatches : writePageInOrder;
  // A page of its own for a position: with "or" in it the condition would be no condition of the index, and the tenth
  // page would read the nine before it.
  const behind = `(created_at, id) < ($${next}::timestamptz, $${next + 1}::uuid)`;
  return {
    page: statement<{ group: GroupJson }>(
      `ledger.list-groups${name}`,
      writePage(where, 'true', `limit $${next} offset $${next + 1}`),
    ),
    pageAfter: statement<{ group: GroupJson }>(
      `ledger.list-after${name}`,
      writePage(where, behind, `limit $${next + 2}`),
    ),
    count: statement<{ total: bigint }>(
      `ledger.count-groups${name}`,
      conditions.every(isOfState)
        ? countByDays(conditions.length > 0 ? ' and state = $5' : '')
        : `select count(*) as total from groups where ${where}`,
    ),
  };
}

const NEWEST_FIRST = 'order by created_at desc, id desc';

/** Reads groups_of_a_merchant backwards where nothing selective is asked for. */
function writePageInOrder(where: string, behind: string, cut: string): string {
  return `select to_jsonb(g) as "group" from groups g where ${where} and ${behind} ${NEWEST_FIRST} ${cut}`;
}

/**
 * The planner cannot tell how rare a pair or a merchant's dispute is. It would read the merchant's groups from the newest on until
 * the page is full, which is all of them for a rare one. `offset 0` has it find every match first, as the count has to: with half of 500,000
 * groups matching, 0.2 s for the page.
 */
function writePageOfMatches(where: string, behind: string, cut: string): string {
  return `select to_jsonb(g) as "group" from (
      select id from (select id, created_at from groups where ${where} offset 0) m
      where ${behind} ${NEWEST_FIRST} ${cut}
    ) p join groups g on g.id = p.id order by g.created_at desc, g.id desc`;
}

/** One set of statements for each set of conditions, of which there are 256 (64 of the other conditions, with 0 to 3 pairs). */
const statements = new Map<string, ReturnType<typeof buildStatements>>();

function findStatements(conditions: readonly Condition[]): ReturnType<typeof buildStatements> {
  const key = conditions.map(({ name }) => name).join();
  const known = statements.get(key) ?? buildStatements(conditions);
  statements.set(key, known);
  return known;
}

/** One page of a merchant's groups, newest first, how many match in all (0 where nobody counts), and where the next page begins. */
export async function listGroups(
  db: Queryable,
  f: ListFilter,
): Promise<{ groups: GroupJson[]; total: number; next: ListPosition | null }> {
  const conditions = listConditions(f);
  const { page, pageAfter, count } = findStatements(conditions);
  const filter = [f.merchantId, f.mode, f.createdAfter, f.createdBefore];
  const values = [...filter, ...conditions.flatMap((condition) => condition.values)];
  // One row more than the requested number shows whether there is another page.
  const asked = f.after
    ? db.query(pageAfter, [...values, f.after.created_at, f.after.id, f.limit + 1])
    : db.query(page, [...values, f.limit + 1, f.offset]);
  const counting = f.withoutTotal ? [] : db.query(count, values);
  const [rows, [counted]] = await Promise.all([asked, counting]).catch(refuseBadInput);
  const groups = rows.slice(0, f.limit).map((row) => row.group);
  const last = rows.length > f.limit ? groups.at(-1) : undefined;
  return {
    groups,
    total: Number(counted?.total ?? 0n),
    next: last ? { created_at: last.created_at, id: last.id } : null,
  };
}
