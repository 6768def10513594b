import { notFound } from '@gp/errors';
import type { Db } from '@gp/pg';
import { findMerchant } from '../../db/merchants.ts';
import type { User } from './sessions.ts';

/** Describes the logged-in user and their merchant. */
export async function describeMember(db: Db, user: User) {
  const { name } = await requireMerchant(db, user.merchantId);
  return { merchant_id: user.merchantId, merchant_name: name, email: user.email, role: user.role };
}

/** Returns a merchant by its id; throws not_found when there is none. */
export async function requireMerchant(db: Db, id: string): Promise<{ id: string; name: string }> {
  const merchant = await findMerchant(db, id);
  if (!merchant) throw notFound('merchant');
  return merchant;
}
