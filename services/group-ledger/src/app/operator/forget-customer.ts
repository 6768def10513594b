import type { forgetCustomer as contract, Operator, RequestOf, ResponseOf } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { recordAction } from '@gp/outbox';
import { erasedAddress, listShownNames, pseudonymise } from '../../db/customers.ts';
import { changeGroup, type LedgerParts } from '../change/change-group.ts';

type Contract = typeof contract;
type Request = RequestOf<Contract>;

/**
 * Erases a payer's address, name and time zone for good (Q31); the payments and their customer id stay. The
 * audit names the customer and not the address. Rejects with `not_found` when no payer of this merchant and mode has it.
 */
export function forgetCustomer(
  parts: LedgerParts,
): (r: Request, actor: Operator) => Promise<ResponseOf<Contract>> {
  return async ({ merchant_id, mode, email }, actor) => {
    const known = { merchant_id, mode, email: email.trim().toLowerCase() };
    // First, so that the command can be repeated while the address is known.
    await hideNames(parts, known, actor);
    const customerId = await parts.db.transaction(async (tx) => {
      const id = await pseudonymise(tx, known);
      if (id === undefined) throw notFound('customer');
      await recordAction(tx, { actor, action: 'payers.forget', subject: id });
      return id;
    });
    // Of payments that were started meanwhile.
    await hideNames(parts, { merchant_id, mode, email: erasedAddress(customerId) }, actor);
    return { customer_id: customerId };
  };
}

/** Takes the name of a customer from the pages of groups, which their visitors see at once (Q99). */
async function hideNames(parts: LedgerParts, customer: Request, { name }: Operator): Promise<void> {
  for (const { group_id: groupId, id: intentId } of await listShownNames(parts.db, customer))
    await changeGroup(parts, {
      step: 'operate',
      actor: `operator:${name}`,
      groupId,
      scope: { merchantId: customer.merchant_id, mode: customer.mode },
      command: () => ({ type: 'hideName', intentId }),
    });
}
