import { AppError, validationError } from '@gp/errors';
import { constraintOf } from '@gp/pg';
import { uuidv7 } from 'uuidv7';
import { insertMerchant } from '../db/merchants.ts';
import { hashPassword } from './passwords.ts';
import type { DashboardParts } from './ports.ts';

export type NewMerchant = { readonly name: string; readonly email: string; readonly password: string };

/** Creates a merchant with its owner. Throws validation_error when the e-mail is taken. */
export function createMerchant(
  parts: Pick<DashboardParts, 'db'>,
): (o: NewMerchant) => Promise<{ merchantId: string; userId: string }> {
  return async ({ name, email, password }) => {
    const merchantId = uuidv7();
    const userId = uuidv7();
    const passwordHash = await hashPassword(password);
    const owner = { id: userId, email: email.trim().toLowerCase(), passwordHash };
    await parts.db
      .transaction((tx) => insertMerchant(tx, { id: merchantId, name: name.trim(), owner }))
      .catch((error: unknown) => {
        if (constraintOf(error) === 'users_are_known_by_email')
          throw validationError('email', 'is already in use');
        throw error instanceof AppError ? error : new AppError('internal_error', {}, { cause: error });
      });
    return { merchantId, userId };
  };
}
