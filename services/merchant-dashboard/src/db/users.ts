import { statement, type Queryable } from '@gp/pg';

export type User = {
  readonly id: string;
  readonly merchantId: string;
  readonly email: string;
  readonly role: string;
};
export type UserRow = {
  readonly id: string;
  readonly merchant_id: string;
  readonly email: string;
  readonly role: string;
};

const byEmail = statement<UserRow & { password_hash: string }>(
  'dashboard.find-user-by-email',
  'select id, merchant_id, email, role, password_hash from users where email = $1',
);

export async function findUserByEmail(
  db: Queryable,
  email: string,
): Promise<(User & { passwordHash: string }) | undefined> {
  const [row] = await db.query(byEmail, [email]);
  return row && { ...userFromRow(row), passwordHash: row.password_hash };
}

export function userFromRow(row: UserRow): User {
  return { id: row.id, merchantId: row.merchant_id, email: row.email, role: row.role };
}
