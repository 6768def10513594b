import { validationError } from '@gp/errors';
import { constraintOf } from '@gp/pg';
import { uuidv7 } from 'uuidv7';
import { insertAudit } from '../db/audit.ts';
import { insertMerchant } from '../db/merchants.ts';
import { committed } from '../fail-points.ts';
import type { NewMerchant } from './input.ts';
import { hashPassword } from './passwords.ts';
import type { DashboardParts } from './ports.ts';

/** Creates a merchant with its owner. Throws validation_error when the e-mail is taken. */
export function createMerchant(
  parts: Pick<DashboardParts, 'db'>,
): (o: NewMerchant) => Promise<{ merchantId: string; userId: string }> {
  return async (o) => {
    const merchantId = uuidv7();
    const userId = uuidv7();
    const email = normalEmail(o.email);
    const passwordHash = await hashPassword(o.password);
    const name = o.merchant_name.trim();
    await committed(parts.db, 'merchant', async (tx) => {
      await insertMerchant(tx, { id: merchantId, name, owner: { id: userId, email, passwordHash } });
      await insertAudit(tx, { merchantId, name: email }, 'merchant.created', { name });
    }).catch((error: unknown) => {
      if (constraintOf(error) !== 'users_are_known_by_email') throw error;
      throw validationError('email', 'is already in use');
    });
    return { merchantId, userId };
  };
}

/** One spelling for one address, as it is stored and looked up. */
export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}
