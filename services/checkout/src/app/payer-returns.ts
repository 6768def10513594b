import type { Mode } from '@gp/contracts';
import { AppError, validationError } from '@gp/errors';
import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { isRegisteredOrigin } from '../db/allowed-origins.ts';
import { deleteOldReturns, findPayerReturn, keepPayerReturn } from '../db/payer-returns.ts';
import type { findPayment } from './open-page.ts';

/** Longer addresses do not work in every browser. */
const LONGEST = 2_000;

export type PayerReturns = {
  /**
   * Stores the merchant's page that a payer leaves for a bank. Rejects with `validation_error` for an address that
   * is not on a registered origin, and with `not_found` for a payment of another group.
   */
  keep(
    scope: { merchant_id: string; mode: Mode; group_id: string },
    o: { paymentIntentId: string; address: string },
  ): Promise<void>;
  /** Returns the page where the payer of a payment continues; undefined when the payer left no page but ours. */
  find(groupId: string, paymentIntentId: string): Promise<string | undefined>;
};

/**
 * Returns the address of a page to which a bank may send a payer, as browsers write it: one on a registered origin of the
 * merchant, or on `home`, our own. Rejects with `validation_error` for every other one.
 */
export async function readReturnAddress(
  db: Db,
  owner: { merchant_id: string; mode: Mode },
  address: string,
  home?: string,
): Promise<string> {
  const url = address.length <= LONGEST ? URL.parse(address) : null;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  const isOurs = url !== null && home !== undefined && url.origin === new URL(home).origin;
  if (!url || !isWeb || !(isOurs || (await isRegisteredOrigin(db, owner, url.origin))))
    throw validationError('return_url', 'must be an address on a registered origin');
  return url.href;
}

export function payerReturns(db: Db, findStatus: ReturnType<typeof findPayment>): PayerReturns {
  return {
    async keep(scope, { paymentIntentId, address }) {
      const page = await readReturnAddress(db, scope, address);
      await findStatus(scope, paymentIntentId);
      await keepPayerReturn(db, { paymentIntentId, groupId: scope.group_id, address: page });
    },
    find: (groupId, paymentIntentId) => findPayerReturn(db, { groupId, paymentIntentId }),
  };
}

/** Deletes stored addresses a day later. */
export function reapPayerReturns(db: Db): Loop {
  return {
    name: 'reap-payer-returns',
    idleMs: 600_000,
    runOnce: async () => ((await deleteOldReturns(db)) > 0 ? 'busy' : 'idle'),
  };
}

/** Rejects with `not_found` unless this merchant registered the origin; the error reveals nothing else. */
export function refuseForeignOrigin(db: Db) {
  return async (owner: { merchant_id: string; mode: Mode }, origin: string): Promise<void> => {
    if (!(await isRegisteredOrigin(db, owner, origin)))
      throw new AppError('not_found', { message: 'this origin is not registered' });
  };
}
