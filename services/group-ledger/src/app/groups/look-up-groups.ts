import type * as contracts from '@gp/contracts';
import type { RequestOf, ResponseOf } from '@gp/contracts';
import type { Db } from '@gp/pg';
import { findGroupOfOrder, sumGroups as sumRows } from '../../db/lookups/look-up-groups.ts';
import { toScope } from '../change/change-group.ts';
import { groupView } from './views.ts';

type Sum = typeof contracts.sumGroups;
type ByOrder = typeof contracts.findGroupByOrder;

/** The names of several groups, and how their money stands. */
export function sumGroups(db: Db): (r: RequestOf<Sum>) => Promise<ResponseOf<Sum>> {
  return async (request) => {
    const rows = await sumRows(db, toScope(request), request.group_ids);
    const sums = rows.map(({ group_id, group_name, held, captured, refunded, is_disputed }) => ({
      group_id,
      group_name,
      held_minor: String(held),
      captured_minor: String(captured),
      refunded_minor: String(refunded),
      is_disputed,
    }));
    return { sums };
  };
}

/** The group of an order number, or none. */
export function findGroupByOrder(db: Db): (r: RequestOf<ByOrder>) => Promise<ResponseOf<ByOrder>> {
  return async (request) => {
    const group = await findGroupOfOrder(db, toScope(request), request.merchant_order_id);
    return { group: group ? groupView(group) : null };
  };
}
