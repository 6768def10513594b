import type * as contracts from '@gp/contracts';
import type { CustomerView, RequestOf, ResponseOf } from '@gp/contracts';
import type { Db } from '@gp/pg';
import * as rows from '../../db/lookups/list-customers.ts';
import { toScope } from '../change/change-group.ts';

type List = typeof contracts.listCustomers;
type Several = typeof contracts.findCustomers;

/** A page of a merchant's customers, those with the latest payment first. */
export function listCustomers(db: Db): (r: RequestOf<List>) => Promise<ResponseOf<List>> {
  return async (request) => {
    const { limit } = request;
    // One row more than the requested number shows whether there is another page.
    const found = await rows.listCustomers(db, toScope(request), {
      email: request.customer_email?.trim().toLowerCase(),
      createdAfter: request.created_after,
      createdBefore: request.created_before,
      lastPaymentAfter: request.last_payment_after,
      lastPaymentBefore: request.last_payment_before,
      after: request.after,
      limit: limit + 1,
    });
    const customers = found.slice(0, limit).map(customerView);
    const last = found.length > limit ? customers.at(-1) : undefined;
    return { customers, next: last ? { created_at: last.last_payment_at, id: last.id } : null };
  };
}

/** Those of several customers that are this merchant's in this mode. */
export function findCustomers(db: Db): (r: RequestOf<Several>) => Promise<ResponseOf<Several>> {
  return async (request) => {
    const found = await rows.findCustomers(db, toScope(request), request.customer_ids);
    return { customers: found.map(customerView) };
  };
}

/** A customer as the bus shows them. */
export function customerView({
  id,
  email,
  name,
  created_at,
  last_payment_at,
}: rows.CustomerRow): CustomerView {
  return {
    ...{ id, email, name },
    created_at: created_at.toISOString(),
    last_payment_at: last_payment_at.toISOString(),
  };
}
