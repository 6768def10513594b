import type { RequestOf, ResponseOf, searchCustomers as contract } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { MOST_FOUND, searchCustomers as findRows } from '../../db/lookups/search-customers.ts';
import { toScope } from '../change/change-group.ts';
import { customerView } from './list-customers.ts';

type Contract = typeof contract;

/** The customers that a text names, those with the latest payment first; none for a text of spaces. */
export function searchCustomers(db: Db): (r: RequestOf<Contract>) => Promise<ResponseOf<Contract>> {
  return async (request) => {
    const text = request.text.trim();
    if (text === '') return { customers: [], is_cut: false };
    const rows = await findRows(db, toScope(request), text);
    return { customers: rows.slice(0, MOST_FOUND).map(customerView), is_cut: rows.length > MOST_FOUND };
  };
}
