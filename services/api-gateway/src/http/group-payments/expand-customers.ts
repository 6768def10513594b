import { AppError } from '@gp/errors';
import { toScope, type Caller } from '../../app/callers/caller.ts';
import { customerItem } from '../customer.view.ts';
import type { RouteParts } from '../route-parts.ts';

type Query = { readonly expand?: readonly string[] };
type Expanded = { readonly customers?: readonly ReturnType<typeof customerItem>[] };

/**
 * Returns a function that reads the customers a response names, once each and in the order of their first mention, where
 * `expand` asks for them. They take one call, and a session token gets `insufficient_scope`.
 */
export function expandCustomers({ services }: Pick<RouteParts, 'services'>) {
  return async (
    caller: Caller,
    { expand = [] }: Query,
    named: readonly (string | null)[],
  ): Promise<Expanded> => {
    if (!expand.includes('customers')) return {};
    if (caller.kind === 'session_token')
      throw new AppError('insufficient_scope', { message: 'a session token cannot expand customers' });
    const customer_ids = [...new Set(named.filter((id) => id !== null))];
    if (customer_ids.length === 0) return { customers: [] };
    const { customers } = await services.findCustomers({ ...toScope(caller), customer_ids });
    const known = new Map(customers.map((customer) => [customer.id, customer]));
    const found = customer_ids.flatMap((id) => known.get(id) ?? []);
    return { customers: found.map((customer) => customerItem(customer, caller)) };
  };
}
