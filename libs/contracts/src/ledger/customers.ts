import Type, { type Static } from '@gp/bundled/typebox';
import { CurrencyCode, Instant, ListPosition, Minor, Nullable, Scope, Uuid } from '../common.ts';
import { rpc } from '../contract.ts';
import { PaymentView } from './lookups.ts';
import { IntentState } from './views.ts';

/** A payer of a merchant in a mode. One e-mail address is one customer, until it is erased (Q31). */
export const CustomerView = Type.Object({
  id: Uuid,
  /** In lower case; one under `.invalid` once it was erased. */
  email: Type.String(),
  /** The latest name that a payment gave; null when none did. */
  name: Nullable(Type.String()),
  /** When the first payment was started. */
  created_at: Instant,
  last_payment_at: Instant,
});
export type CustomerView = Static<typeof CustomerView>;

/** How many payments of a customer are in a state. */
export const PaymentCount = Type.Object({ state: IntentState, count: Type.Integer({ minimum: 1 }) });
export type PaymentCount = Static<typeof PaymentCount>;

/** What became of a customer's payments in one currency: held and not captured; captured; refunded of that. */
export const CustomerSum = Type.Object({
  currency: CurrencyCode,
  on_hold_minor: Minor,
  captured_minor: Minor,
  refunded_minor: Minor,
});
export type CustomerSum = Static<typeof CustomerSum>;

/**
 * A page of a merchant's customers, those with the latest payment first: those behind `after` when it is given. In a
 * position of this list, `created_at` is when the customer's last payment was started. Bounds include their instants.
 */
export const listCustomers = rpc('rpc.ledger.customers.list.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
    after: Type.Optional(ListPosition),
    customer_email: Type.Optional(Type.String({ maxLength: 320 })),
    created_after: Type.Optional(Instant),
    created_before: Type.Optional(Instant),
    last_payment_after: Type.Optional(Instant),
    last_payment_before: Type.Optional(Instant),
  }),
  response: Type.Object({ customers: Type.Array(CustomerView), next: Nullable(ListPosition) }),
});

/** Returns a customer with the counts and sums of all payments, by state and by currency; errors: not_found. */
export const findCustomer = rpc('rpc.ledger.customers.find.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, customer_id: Uuid }),
  response: Type.Object({
    customer: CustomerView,
    payment_counts: Type.Array(PaymentCount),
    sums: Type.Array(CustomerSum),
  }),
});

/** Returns those of the customers that are this merchant's in this mode, in no order. */
export const findCustomers = rpc('rpc.ledger.customers.find-several.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, customer_ids: Type.Array(Uuid, { maxItems: 100 }) }),
  response: Type.Object({ customers: Type.Array(CustomerView) }),
});

/**
 * Finds customers by the beginning of their name, in any case, and by a whole e-mail address: 5 at most, those with the latest
 * payment first. Of the 2,000 with the latest payments the beginning of any word of the name counts.
 */
export const searchCustomers = rpc('rpc.ledger.customers.search.v1', {
  repeatable: true,
  request: Type.Object({ ...Scope, text: Type.String({ minLength: 1, maxLength: 320 }) }),
  response: Type.Object({ customers: Type.Array(CustomerView, { maxItems: 5 }), is_cut: Type.Boolean() }),
});

/** A payment of any group. */
export const PaymentOfGroup = Type.Object({
  ...PaymentView.properties,
  group_id: Uuid,
  /** Absent in replies of earlier releases. */
  group_name: Type.Optional(Type.String()),
  currency: CurrencyCode,
});
export type PaymentOfGroup = Static<typeof PaymentOfGroup>;

/** A page of a customer's payments in all groups, newest first: those behind `after` when it is given; errors: not_found. */
export const listPaymentsOfCustomer = rpc('rpc.ledger.intents.list-of-customer.v1', {
  repeatable: true,
  request: Type.Object({
    ...Scope,
    customer_id: Uuid,
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
    after: Type.Optional(ListPosition),
  }),
  response: Type.Object({ payments: Type.Array(PaymentOfGroup), next: Nullable(ListPosition) }),
});
