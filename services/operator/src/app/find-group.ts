import type { Bus } from '@gp/bus';
import { findGroupByOrder, type Mode } from '@gp/contracts';
import { notFound } from '@gp/errors';

type Order = { readonly merchant_id: string; readonly mode: Mode; readonly merchant_order_id: string };

/**
 * Returns the group of a merchant's order; rejects with `not_found`. The link to the payers' page is left out, because it
 * permits to pay.
 */
export async function findGroup(bus: Bus, order: Order): Promise<object> {
  const { group } = await bus.call(findGroupByOrder, order);
  if (!group) throw notFound('group of this order');
  const { id, merchant_id, mode, group_name, merchant_order_id, state, expires_at, created_at } = group;
  return { id, merchant_id, mode, group_name, merchant_order_id, state, expires_at, created_at };
}
