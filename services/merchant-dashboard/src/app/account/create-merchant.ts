import { validationError } from '@gp/errors';
import { findConstraint, type Db, type Queryable } from '@gp/pg';
import { uuidv7 } from 'uuidv7';
import { insertAudit } from '../../db/audit.ts';
import { insertMerchant } from '../../db/merchants.ts';
import { committed } from '../../fail-points.ts';
import type { NewMerchant } from '../input/input.ts';
import { hashPassword } from './passwords.ts';

type Ids = { merchantId: string; userId: string; email: string };

/** Creates a merchant with its owner, for an operator. Throws validation_error when the e-mail is taken. */
export function createMerchant({ db }: { readonly db: Db }): (o: NewMerchant) => Promise<Ids> {
  return async (o) => {
    const email = normalEmail(o.email);
    const passwordHash = await hashPassword(o.password);
    const wanted = { name: o.merchant_name.trim(), email, passwordHash };
    return storeMerchant(db, () => Promise.resolve(wanted));
  };
}

/**
 * Stores a merchant whose owner's e-mail address is verified. The input is looked up in the same transaction, so
 * that a link is used up if and only if its merchant is stored.
 */
export async function storeMerchant(
  db: Db,
  find: (tx: Queryable) => Promise<{ name: string; email: string; passwordHash: string }>,
): Promise<Ids> {
  const merchantId = uuidv7();
  const userId = uuidv7();
  const email = await committed(db, 'merchant', async (tx) => {
    const { name, email: owner, passwordHash } = await find(tx);
    await insertMerchant(tx, { id: merchantId, name, owner: { id: userId, email: owner, passwordHash } });
    await insertAudit(tx, { merchantId, name: owner }, 'merchant.created', { name });
    return owner;
  }).catch((error: unknown) => {
    if (findConstraint(error) !== 'users_are_known_by_email') throw error;
    throw validationError('email', 'is already in use');
  });
  return { merchantId, userId, email };
}

/** Returns the one spelling under which an e-mail address is stored and looked up. */
export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}
