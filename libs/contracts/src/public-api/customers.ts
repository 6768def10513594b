import Type, { type Static } from '@gp/bundled/typebox';
import {
  Currency,
  Cursor,
  CursorPagination,
  DateTime,
  Id,
  PaymentState,
  Request,
  Response,
  ShownAmount,
  textOrNull,
} from './fields.ts';

export const customerEmail = Type.String({
  description: "The payer's e-mail address, in lower case; one under `.invalid` once it was erased.",
});
export const customerName = textOrNull("The payer's latest name; null when none was given.");

const customer = {
  customer_id: Id('Id of the customer.'),
  customer_email: customerEmail,
  customer_name: customerName,
  created_at: DateTime('When their first payment was started.'),
  last_payment_at: DateTime('When their latest payment was started.'),
  is_test_mode: Type.Boolean({ description: 'Whether no real money moves.' }),
};

export const CustomerListItem = Response('CustomerListItem', customer, {
  description: 'Somebody who started a payment, known by an e-mail address.',
});

const PaymentCount = Response('CustomerPaymentCount', {
  state: { ...PaymentState, description: 'A state of payments.' },
  count: Type.Integer({ minimum: 1, description: 'How many of their payments are in it.' }),
});

const CustomerAmounts = Response('CustomerAmounts', {
  currency: Currency,
  amount_on_hold: ShownAmount('What is held on cards and was not captured, in currency units.'),
  amount_captured: ShownAmount('What was captured, in currency units.'),
  amount_refunded: ShownAmount('What of that was given back, in currency units.'),
});

export const Customer = Response('Customer', {
  ...customer,
  payment_counts: Type.Array(PaymentCount, {
    description: 'How many payments are in each state; states without one are left out.',
  }),
  amounts: Type.Array(CustomerAmounts, {
    description: 'The sums of all payments, one for each currency in which one was started.',
  }),
});

export const ListCustomersQuery = Request('ListCustomersQuery', {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Most items of a page.' }),
  ),
  cursor: Cursor,
  customer_email: Type.Optional(
    Type.String({
      format: 'email',
      maxLength: 320,
      description: 'Only the one with this e-mail address, in any case.',
    }),
  ),
  created_after: Type.Optional(
    DateTime('Only those whose first payment was started at this instant or later.'),
  ),
  created_before: Type.Optional(
    DateTime('Only those whose first payment was started at this instant or earlier.'),
  ),
  last_payment_after: Type.Optional(
    DateTime('Only those whose latest payment was started at this instant or later.'),
  ),
  last_payment_before: Type.Optional(
    DateTime('Only those whose latest payment was started at this instant or earlier.'),
  ),
});
export type ListCustomersQuery = Static<typeof ListCustomersQuery>;

export const CustomerList = Response('CustomerList', {
  customers: Type.Array(CustomerListItem, { description: 'The one with the latest payment first.' }),
  pagination: CursorPagination,
});
