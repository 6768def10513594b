import { statement, type Queryable } from '@gp/pg';
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
const groupOfOrganiser = statement<{ id: string }>(
  'ledger.group-of-organiser-token',
  `select id from groups where organiser_token = $1`,
);
const waitingForGateway = statement<{ id: string }>(
  'ledger.groups-waiting-for-gateway',
  `select id from groups where merchant_id = $1 and mode = $2 and state = 'preauthorised'`,
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

/** The group whose organiser has a link with this token. */
export async function findGroupOfOrganiser(db: Queryable, token: string): Promise<string | undefined> {
  const [row] = await db.query(groupOfOrganiser, [token]).catch(refuseBadInput);
  return row?.id;
}

/** Groups that are fully held and were not captured, because their gateway is not connected. */
export async function findGroupsWaitingForGateway(db: Queryable, scope: Scope): Promise<string[]> {
  const rows = await db.query(waitingForGateway, [scope.merchantId, scope.mode]);
  return rows.map((row) => row.id);
}
