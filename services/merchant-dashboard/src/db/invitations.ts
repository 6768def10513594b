import { statement, type Queryable } from '@gp/pg';
import type { Role } from '../domain/roles.ts';

export type InvitationRow = {
  readonly id: string;
  readonly merchant_id: string;
  readonly email: string;
  readonly role: Role;
  readonly invited_by: string;
  readonly created_at: Date;
  readonly expires_at: Date;
};

const COLUMNS = 'id, merchant_id, email, role, invited_by, created_at, expires_at';
// A repeated invitation gets a new link, and the earlier link stops working.
const put = statement<InvitationRow>(
  'dashboard.put-invitation',
  `insert into invitations (id, token_hash, merchant_id, email, role, invited_by, expires_at)
   values ($1, $2, $3, $4, $5, $6, clock_timestamp() + interval '7 days')
   on conflict (merchant_id, email) do update set token_hash = excluded.token_hash, role = excluded.role,
     invited_by = excluded.invited_by, created_at = clock_timestamp(), expires_at = excluded.expires_at
   returning ${COLUMNS}`,
);
const list = statement<InvitationRow>(
  'dashboard.list-invitations',
  `select ${COLUMNS} from invitations where merchant_id = $1 and expires_at > clock_timestamp()
   order by created_at desc, id`,
);
const find = statement<InvitationRow & { merchant_name: string }>(
  'dashboard.find-invitation',
  `select i.id, i.merchant_id, i.email, i.role, i.invited_by, i.created_at, i.expires_at, m.name as merchant_name
   from invitations i join merchants m on m.id = i.merchant_id
   where i.token_hash = $1 and i.expires_at > clock_timestamp()`,
);
const take = statement<InvitationRow>(
  'dashboard.take-invitation',
  `delete from invitations where token_hash = $1 and expires_at > clock_timestamp() returning ${COLUMNS}`,
);
const remove = statement<InvitationRow>(
  'dashboard.delete-invitation',
  `delete from invitations where merchant_id = $1 and id = $2 returning ${COLUMNS}`,
);

type NewInvitation = {
  readonly id: string;
  readonly tokenHash: Buffer;
  readonly merchantId: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
};

/** Stores an invitation for seven days, replacing an earlier one to the same person. */
export async function putInvitation(tx: Queryable, o: NewInvitation): Promise<InvitationRow> {
  const [row] = await tx.query(put, [o.id, o.tokenHash, o.merchantId, o.email, o.role, o.invitedBy]);
  if (!row) throw new Error('a stored invitation was not returned');
  return row;
}

export function listInvitations(db: Queryable, merchantId: string): Promise<InvitationRow[]> {
  return db.query(list, [merchantId]);
}

export async function findInvitation(
  db: Queryable,
  tokenHash: Buffer,
): Promise<(InvitationRow & { merchant_name: string }) | undefined> {
  return (await db.query(find, [tokenHash]))[0];
}

/** Uses up the link of an invitation; returns undefined when it is unknown, used or too old. */
export async function takeInvitation(tx: Queryable, tokenHash: Buffer): Promise<InvitationRow | undefined> {
  return (await tx.query(take, [tokenHash]))[0];
}

export async function deleteInvitation(
  tx: Queryable,
  merchantId: string,
  id: string,
): Promise<InvitationRow | undefined> {
  return (await tx.query(remove, [merchantId, id]))[0];
}
