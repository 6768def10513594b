import type { forgetCustomer as contract, Operator, RequestOf, ResponseOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { recordAction } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { pseudonymise } from '../../db/customers.ts';

type Contract = typeof contract;

/**
 * Erases a payer's address and name for good (Q31); the payments and their customer id stay. The
 * audit names the customer and not the address. Rejects with `not_found` when no payer of this merchant and mode has it.
 */
export function forgetCustomer(
  db: Db,
): (r: RequestOf<Contract>, actor: Operator) => Promise<ResponseOf<Contract>> {
  return ({ merchant_id, mode, email }, actor) =>
    db.transaction(async (tx) => {
      const customerId = await pseudonymise(tx, { merchant_id, mode, email: email.trim().toLowerCase() });
      if (customerId === undefined) throw notFound('customer');
      await recordAction(tx, { actor, action: 'payers.forget', subject: customerId });
      return { customer_id: customerId };
    });
}
