import { statement, type Queryable } from '@gp/pg';

const insertRow = statement('dashboard.insert-merchant', 'insert into merchants (id, name) values ($1, $2)');
const insertOwner = statement(
  'dashboard.insert-owner',
  `insert into users (id, merchant_id, email, password_hash, role) values ($1, $2, $3, $4, 'owner')`,
);
const find = statement<Merchant>(
  'dashboard.find-merchant',
  'select id, name, requires_second_factor from merchants where id = $1',
);
// The lock keeps the name from changing between the reading and the update.
const lockName = statement<{ name: string }>(
  'dashboard.lock-merchant-name',
  'select name from merchants where id = $1 for no key update',
);
const rename = statement('dashboard.rename-merchant', 'update merchants set name = $2 where id = $1');
const require = statement(
  'dashboard.require-second-factor',
  'update merchants set requires_second_factor = $2 where id = $1',
);

export type Merchant = {
  readonly id: string;
  readonly name: string;
  /** Members without a second factor have to add one before anything else. */
  readonly requires_second_factor: boolean;
};

export type MerchantWithOwner = {
  readonly id: string;
  readonly name: string;
  readonly owner: { readonly id: string; readonly email: string; readonly passwordHash: string };
};

export async function insertMerchant(tx: Queryable, { id, name, owner }: MerchantWithOwner): Promise<void> {
  await tx.query(insertRow, [id, name]);
  await tx.query(insertOwner, [owner.id, id, owner.email, owner.passwordHash]);
}

export async function findMerchant(db: Queryable, id: string): Promise<Merchant | undefined> {
  const [row] = await db.query(find, [id]);
  return row;
}

/** Sets whether a merchant's members need a second factor. */
export async function updateSecondFactorRule(tx: Queryable, id: string, isRequired: boolean): Promise<void> {
  await tx.query(require, [id, isRequired]);
}

/** Gives a merchant another name and returns the one before. */
export async function renameMerchant(tx: Queryable, id: string, name: string): Promise<string> {
  const [row] = await tx.query(lockName, [id]);
  await tx.query(rename, [id, name]);
  return row?.name ?? '';
}
