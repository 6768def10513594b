import type { forgetCustomer as contract, RequestOf, ResponseOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { recordAction } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { pseudonymise } from '../../db/customers.ts';

type Contract = typeof contract;

/**
 * Takes a payer's address and name away for good (Q31); his payments, and whose they were of all strangers, stay. The
 * audit names the customer and not the address. Rejects with `not_found` when nobody of this merchant and mode has it.
 */
export function forgetCustomer(db: Db): (r: RequestOf<Contract>) => Promise<ResponseOf<Contract>> {
  return ({ merchant_id, mode, email, actor }) =>
    db.transaction(async (tx) => {
      const customerId = await pseudonymise(tx, { merchant_id, mode, email: email.trim().toLowerCase() });
      if (customerId === undefined) throw notFound('customer');
      await recordAction(tx, { actor, action: 'payers.forget', subject: customerId });
      return { customer_id: customerId };
    });
}
