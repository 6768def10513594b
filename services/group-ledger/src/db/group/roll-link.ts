import { statement, type Queryable } from '@gp/pg';

/** A link as it is now, with the version of its group; the token is null where the group has no such link. */
export type Link = { readonly token: string | null; readonly link_number: number; readonly version: bigint };

type Owned = { readonly merchant_id: string; readonly mode: string; readonly group_id: string };
type Roll = Owned & { readonly command_id: string; readonly fingerprint: string };

/** The statements of a link whose token and count of replacements are these columns of the group. */
function buildStatements(name: string, token: string, number: string) {
  return {
    roll: statement<Link>(
      `ledger.roll-${name}-link`,
      `with run as (
         insert into commands (id, fingerprint, group_id)
         select $1, $2, id from groups where id = $3 and merchant_id = $4 and mode = $5
         on conflict (id) do nothing returning group_id)
       update groups g set ${token} = $6, ${number} = g.${number} + 1
       from run where g.id = run.group_id and g.${token} is not null
       returning g.${token} as token, g.${number} as link_number, g.version`,
    ),
    find: statement<Link>(
      `ledger.find-${name}-link`,
      `select ${token} as token, ${number} as link_number, version
       from groups where id = $1 and merchant_id = $2 and mode = $3`,
    ),
  };
}

const statements = {
  page: buildStatements('page', 'page_token', 'link_number'),
  organiser: buildStatements('organiser', 'organiser_token', 'organiser_link_number'),
};

/** The links of a group: that of its page, and that of its organiser. */
export type LinkName = keyof typeof statements;

/** Replaces the token of a link; undefined when there is no such link, or when the command ran before. */
export async function rollLink(
  tx: Queryable,
  link: LinkName,
  { command_id, fingerprint, group_id, merchant_id, mode }: Roll,
  token: string,
): Promise<Link | undefined> {
  const command = [Buffer.from(command_id, 'hex'), Buffer.from(fingerprint, 'hex')];
  return (await tx.query(statements[link].roll, [...command, group_id, merchant_id, mode, token]))[0];
}

/** Returns a link as it is now; undefined for a group of another merchant or mode. */
export async function findLink(
  db: Queryable,
  link: LinkName,
  { group_id, merchant_id, mode }: Owned,
): Promise<Link | undefined> {
  return (await db.query(statements[link].find, [group_id, merchant_id, mode]))[0];
}
