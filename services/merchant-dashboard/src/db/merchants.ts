import { statement, type Queryable } from '@gp/pg';

const insertRow = statement('dashboard.insert-merchant', 'insert into merchants (id, name) values ($1, $2)');
const insertOwner = statement(
  'dashboard.insert-owner',
  `insert into users (id, merchant_id, email, password_hash, role) values ($1, $2, $3, $4, 'owner')`,
);
const find = statement<{ id: string; name: string }>(
  'dashboard.find-merchant',
  'select id, name from merchants where id = $1',
);

export type MerchantWithOwner = {
  readonly id: string;
  readonly name: string;
  readonly owner: { readonly id: string; readonly email: string; readonly passwordHash: string };
};

export async function insertMerchant(tx: Queryable, { id, name, owner }: MerchantWithOwner): Promise<void> {
  await tx.query(insertRow, [id, name]);
  await tx.query(insertOwner, [owner.id, id, owner.email, owner.passwordHash]);
}

export async function findMerchant(
  db: Queryable,
  id: string,
): Promise<{ id: string; name: string } | undefined> {
  const [row] = await db.query(find, [id]);
  return row;
}
