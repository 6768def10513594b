import {
  INTENT_STATES,
  type CustomerSum,
  type findCustomer as contract,
  type PaymentCount,
  type RequestOf,
  type ResponseOf,
} from '@gp/contracts';
import { notFound } from '@gp/errors';
import type { Db } from '@gp/pg';
import { findCustomers } from '../../db/lookups/list-customers.ts';
import { sumCustomer, type CustomerSumRow } from '../../db/lookups/sum-customer.ts';
import { toScope } from '../change/change-group.ts';
import { customerView } from './list-customers.ts';

type Contract = typeof contract;

/** One customer with counts and sums of all payments; not_found for one who is not this merchant's in this mode. */
export function findCustomer(db: Db): (r: RequestOf<Contract>) => Promise<ResponseOf<Contract>> {
  return async (request) => {
    const { customer_id: id } = request;
    const [customer] = await findCustomers(db, toScope(request), [id]);
    if (!customer) throw notFound('customer');
    const found = await sumCustomer(db, id);
    return {
      customer: customerView(customer),
      payment_counts: countByState(found),
      sums: sumByCurrency(found),
    };
  };
}

/** Returns how many payments are in each state, in the order of a payment's life. */
function countByState(found: readonly CustomerSumRow[]): PaymentCount[] {
  return INTENT_STATES.map((state) => ({
    state,
    count: found.reduce((count, row) => (row.state === state ? count + Number(row.payments) : count), 0),
  })).filter(({ count }) => count > 0);
}

/** Returns the sums of each currency, by its code. */
function sumByCurrency(found: readonly CustomerSumRow[]): CustomerSum[] {
  const currencies = [...Map.groupBy(found, ({ currency }) => currency)];
  return currencies
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, rows]) => ({
      currency,
      on_hold_minor: addUp(rows.map(({ on_hold }) => on_hold)),
      captured_minor: addUp(rows.map(({ captured }) => captured)),
      refunded_minor: addUp(rows.map(({ refunded }) => refunded)),
    }));
}

const addUp = (amounts: readonly bigint[]): string => String(amounts.reduce((all, each) => all + each, 0n));
