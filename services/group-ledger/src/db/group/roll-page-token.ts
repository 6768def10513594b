import { statement, type Queryable } from '@gp/pg';

export type RolledLink = { readonly page_token: string; readonly link_number: number };

type Roll = {
  readonly command_id: string;
  readonly fingerprint: string;
  readonly merchant_id: string;
  readonly mode: string;
  readonly group_id: string;
};

const roll = statement<RolledLink>(
  'ledger.roll-page-token',
  `with run as (
     insert into commands (id, fingerprint, group_id)
     select $1, $2, id from groups where id = $3 and merchant_id = $4 and mode = $5
     on conflict (id) do nothing returning group_id)
   update groups g set page_token = $6, link_number = g.link_number + 1
   from run where g.id = run.group_id
   returning g.page_token, g.link_number`,
);
const find = statement<RolledLink>(
  'ledger.find-link',
  `select page_token, link_number from groups where id = $1 and merchant_id = $2 and mode = $3`,
);

/** Replaces the token of a group's page; undefined when there is no such group, or when the command ran before. */
export async function rollPageToken(
  tx: Queryable,
  { command_id, fingerprint, group_id, merchant_id, mode }: Roll,
  pageToken: string,
): Promise<RolledLink | undefined> {
  const command = [Buffer.from(command_id, 'hex'), Buffer.from(fingerprint, 'hex')];
  return (await tx.query(roll, [...command, group_id, merchant_id, mode, pageToken]))[0];
}

/** Returns the link of a group as it is now; undefined for a group of another merchant or mode. */
export async function findLink(
  db: Queryable,
  { group_id, merchant_id, mode }: Pick<Roll, 'group_id' | 'merchant_id' | 'mode'>,
): Promise<RolledLink | undefined> {
  return (await db.query(find, [group_id, merchant_id, mode]))[0];
}
