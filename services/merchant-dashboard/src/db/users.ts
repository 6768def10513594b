import { statement, type Queryable } from '@gp/pg';
import type { Role } from '../domain/roles.ts';

export type User = {
  readonly id: string;
  readonly merchantId: string;
  readonly email: string;
  readonly role: Role;
};
export type UserRow = {
  readonly id: string;
  readonly merchant_id: string;
  readonly email: string;
  readonly role: Role;
};
export type Teammate = UserRow & {
  readonly created_at: Date;
  readonly last_seen_at: Date | null;
  readonly has_second_factor: boolean;
  /** Live keys that the member made, in both modes. */
  readonly live_keys: bigint;
};

const COLUMNS = 'id, merchant_id, email, role';
const byEmail = statement<UserRow & { password_hash: string }>(
  'dashboard.find-user-by-email',
  `select ${COLUMNS}, password_hash from users where email = $1`,
);
const passwordOf = statement<{ password_hash: string }>(
  'dashboard.find-password',
  'select password_hash from users where id = $1',
);
const insert = statement(
  'dashboard.insert-user',
  'insert into users (id, merchant_id, email, password_hash, role) values ($1, $2, $3, $4, $5)',
);
const setPassword = statement('dashboard.set-password', 'update users set password_hash = $2 where id = $1');
const team = statement<Teammate>(
  'dashboard.list-team',
  `select u.id, u.merchant_id, u.email, u.role, u.created_at, max(s.last_seen_at) as last_seen_at,
          exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null)
            or exists (select from passkeys p where p.user_id = u.id) as has_second_factor,
          (select count(*) from api_keys k
           where k.merchant_id = u.merchant_id and k.created_by = u.email and k.revoked_at is null) as live_keys
   from users u left join sessions s on s.user_id = u.id and not s.awaits_second_factor
   where u.merchant_id = $1 group by u.id order by u.created_at, u.id`,
);
// Locks the whole team: of two owners who leave at the same time, the second is refused.
const lockTeam = statement<UserRow>(
  'dashboard.lock-team',
  `select ${COLUMNS} from users where merchant_id = $1 order by id for update`,
);
const setRole = statement(
  'dashboard.set-role',
  'update users set role = $3 where merchant_id = $1 and id = $2',
);
const emails = statement<{ email: string }>(
  'dashboard.list-emails',
  'select email from users where merchant_id = $1 and role = any($2) order by email',
);
const remove = statement('dashboard.delete-user', 'delete from users where merchant_id = $1 and id = $2');

export async function findUserByEmail(
  db: Queryable,
  email: string,
): Promise<(User & { passwordHash: string }) | undefined> {
  const [row] = await db.query(byEmail, [email]);
  return row && { ...userFromRow(row), passwordHash: row.password_hash };
}

export async function findPassword(db: Queryable, userId: string): Promise<string | undefined> {
  return (await db.query(passwordOf, [userId]))[0]?.password_hash;
}

export async function insertUser(tx: Queryable, user: User & { passwordHash: string }): Promise<void> {
  await tx.query(insert, [user.id, user.merchantId, user.email, user.passwordHash, user.role]);
}

export async function updatePassword(tx: Queryable, userId: string, passwordHash: string): Promise<void> {
  await tx.query(setPassword, [userId, passwordHash]);
}

/** Returns a merchant's users, those with the longest membership first. */
export function listTeam(db: Queryable, merchantId: string): Promise<Teammate[]> {
  return db.query(team, [merchantId]);
}

/** Returns a merchant's users and locks their rows until the transaction ends. */
export async function lockUsers(tx: Queryable, merchantId: string): Promise<User[]> {
  return (await tx.query(lockTeam, [merchantId])).map(userFromRow);
}

/** Returns the addresses of a merchant's owners. */
export function listOwnerEmails(db: Queryable, merchantId: string): Promise<string[]> {
  return listEmails(db, merchantId, ['owner']);
}

/** Returns the addresses of a merchant's members with one of these roles. */
export async function listEmails(
  db: Queryable,
  merchantId: string,
  roles: readonly Role[],
): Promise<string[]> {
  return (await db.query(emails, [merchantId, roles])).map(({ email }) => email);
}

export async function updateRole(tx: Queryable, merchantId: string, id: string, role: Role): Promise<void> {
  await tx.query(setRole, [merchantId, id, role]);
}

export async function deleteUser(tx: Queryable, merchantId: string, id: string): Promise<void> {
  await tx.query(remove, [merchantId, id]);
}

export function userFromRow(row: UserRow): User {
  return { id: row.id, merchantId: row.merchant_id, email: row.email, role: row.role };
}
