import Type, { type Static } from '@gp/bundled/typebox';
import { CurrencyCode, ListPosition, Minor, Nullable, Scope, Uuid } from '../common.ts';
import { rpc } from '../contract.ts';
import { GroupView, PaymentSummary } from './views.ts';

/** A group's name and the sums of its postings: held and not captured, captured and not refunded, refunded. */
export const GroupSum = Type.Object({
  group_id: Uuid,
  /** Absent in replies of older releases. */
  group_name: Type.Optional(Type.String()),
  held_minor: Minor,
  captured_minor: Minor,
  refunded_minor: Minor,
  /** Whether a payment of it is in dispute; absent in replies of older releases. */
  is_disputed: Type.Optional(Type.Boolean()),
});
export type GroupSum = Static<typeof GroupSum>;

/** Returns the names and sums of several groups, one for each that is this merchant's in this mode, in no order. */
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

/**
 * Finds groups by a text, newest first, 20 at most: by the beginning of the order number, of the client reference, of the name or of a
 * payer's name, in any case, by a whole e-mail address of a payer, by a gateway's reference, and by the id of a group or
 * payment. In the newest 2,000 groups the beginning of any word of a name counts. `is_cut` is true where there are more.
 */
export const searchGroups = rpc('rpc.ledger.groups.search.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, text: Type.String({ minLength: 1, maxLength: 320 }) }),
  response: Type.Object({ groups: Type.Array(GroupView, { maxItems: 20 }), is_cut: Type.Boolean() }),
});

/** A payment of a group with its payer, as the merchant's server may read it. */
export const PaymentView = Type.Object({
  ...PaymentSummary.properties,
  customer_id: Uuid,
  email: Type.String(),
  name: Nullable(Type.String()),
  /** The payer's time zone, by its IANA name, for mails to the payer; only where it is known. */
  time_zone: Type.Optional(Type.String()),
  /** The payment's name at the gateway: that of its hold, else of its latest authorization that has one. */
  psp_reference: Nullable(Type.String()),
});
export type PaymentView = Static<typeof PaymentView>;

/** Payments of one group, newest first, and the position behind the last of them; null when there are no more. */
const paymentPage = { payments: Type.Array(PaymentView), next: Nullable(ListPosition) };

/** A page of the payments of a group, newest first: those behind `after` when it is given; errors: not_found. */
export const listPayments = rpc('rpc.ledger.intents.list.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    group_id: Uuid,
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
    after: Type.Optional(ListPosition),
  }),
  response: Type.Object({ currency: CurrencyCode, ...paymentPage }),
});

/**
 * Returns the newest payments, at most `limit`, of each of several groups in the order of the request: none for a group that is not
 * this merchant's in this mode. A message may hold fewer groups than were requested, but at least one: request the rest again.
 */
export const listPaymentsOfGroups = rpc('rpc.ledger.intents.list-of-groups.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    group_ids: Type.Array(Uuid, { minItems: 1, maxItems: 100 }),
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
  }),
  response: Type.Object({ groups: Type.Array(Type.Object(paymentPage), { minItems: 1 }) }),
});
