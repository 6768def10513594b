import Type, { type Static } from '@gp/bundled/typebox';
import { Minor, Nullable, Scope, Uuid } from '../common.ts';
import { rpc } from '../contract.ts';
import { GroupView } from './views.ts';

/** The sums of a group's postings: held and not captured, captured and not refunded, refunded. */
export const GroupSum = Type.Object({
  group_id: Uuid,
  held_minor: Minor,
  captured_minor: Minor,
  refunded_minor: Minor,
});
export type GroupSum = Static<typeof GroupSum>;

/** Returns the sums of several groups, one for each that is this merchant's in this mode, in no order. */
export const sumGroups = rpc('rpc.ledger.groups.sum.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, group_ids: Type.Array(Uuid, { maxItems: 100 }) }),
  response: Type.Object({ sums: Type.Array(GroupSum) }),
});

/**
 * Returns the group with an order number; null when it does not exist, is another merchant's or of the other mode.
 */
export const findGroupByOrder = rpc('rpc.ledger.groups.find-by-order.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, merchant_order_id: Type.String({ minLength: 1, maxLength: 255 }) }),
  response: Type.Object({ group: Nullable(GroupView) }),
});
