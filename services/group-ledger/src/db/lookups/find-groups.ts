import type { ListPosition } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';
import type { GroupJson } from '../group/group.row.ts';
import { refuseBadInput } from '../group/refusals.ts';

type Scope = { readonly merchantId: string; readonly mode: string };

const groupOfIntent = statement<{ group_id: string }>(
  'ledger.group-of-intent',
  `select i.group_id from intents i join groups g on g.id = i.group_id
   where i.id = $1 and g.merchant_id = $2 and g.mode = $3`,
);
const groupOfPageToken = statement<{ id: string }>(
  'ledger.group-of-page-token',
  `select id from groups where page_token = $1`,
);
const waitingForGateway = statement<{ id: string }>(
  'ledger.groups-waiting-for-gateway',
  `select id from groups where merchant_id = $1 and mode = $2 and state = 'preauthorised'`,
);

const FILTER = `merchant_id = $1 and mode = $2 and ($3::text is null or state = $3)
   and ($4::timestamptz is null or created_at >= $4) and ($5::timestamptz is null or created_at <= $5)`;
// All read groups_of_a_merchant, the pages backwards. A page of its own for a position: with "or" in it the condition
// would be no condition of the index, and the tenth page would read the nine before it.
const listPage = statement<{ group: GroupJson }>(
  'ledger.list-groups',
  `select to_jsonb(g) as "group" from groups g where ${FILTER} order by created_at desc, id desc limit $6 offset $7`,
);
const listPageAfter = statement<{ group: GroupJson }>(
  'ledger.list-groups-after',
  `select to_jsonb(g) as "group" from groups g where ${FILTER} and (created_at, id) < ($6::timestamptz, $7::uuid)
   order by created_at desc, id desc limit $8`,
);
const countAll = statement<{ total: bigint }>(
  'ledger.count-groups',
  `select count(*) as total from groups where ${FILTER}`,
);

/** The group an intent belongs to, if it is this merchant's in this mode. */
export async function findGroupOfIntent(
  db: Queryable,
  scope: Scope,
  intentId: string,
): Promise<string | undefined> {
  const [row] = await db.query(groupOfIntent, [intentId, scope.merchantId, scope.mode]);
  return row?.group_id;
}

/** The group whose hosted page has this token. */
export async function findGroupOfPageToken(db: Queryable, pageToken: string): Promise<string | undefined> {
  const [row] = await db.query(groupOfPageToken, [pageToken]).catch(refuseBadInput);
  return row?.id;
}

/** Groups that are fully held and were not captured, because their gateway is not connected. */
export async function findGroupsWaitingForGateway(db: Queryable, scope: Scope): Promise<string[]> {
  const rows = await db.query(waitingForGateway, [scope.merchantId, scope.mode]);
  return rows.map((row) => row.id);
}

export type ListFilter = Scope & {
  readonly state: string | null;
  readonly createdAfter: string | null;
  readonly createdBefore: string | null;
  readonly limit: number;
  readonly offset: number;
  /** Only those behind this place; the offset does not count then. */
  readonly after: ListPosition | null;
};

/** One page of a merchant's groups, newest first, how many match in all, and where the next page begins. */
export async function listGroups(
  db: Queryable,
  f: ListFilter,
): Promise<{ groups: GroupJson[]; total: number; next: ListPosition | null }> {
  const filter = [f.merchantId, f.mode, f.state, f.createdAfter, f.createdBefore];
  // One row more than the requested number shows whether there is another page.
  const page = f.after
    ? db.query(listPageAfter, [...filter, f.after.created_at, f.after.id, f.limit + 1])
    : db.query(listPage, [...filter, f.limit + 1, f.offset]);
  const [rows, [count]] = await Promise.all([page, db.query(countAll, filter)]).catch(refuseBadInput);
  const groups = rows.slice(0, f.limit).map((row) => row.group);
  const last = rows.length > f.limit ? groups.at(-1) : undefined;
  return {
    groups,
    total: Number(count?.total ?? 0n),
    next: last ? { created_at: last.created_at, id: last.id } : null,
  };
}
