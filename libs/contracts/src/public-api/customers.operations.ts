import { Customer, CustomerList, ListCustomersQuery } from './customers.ts';
import { secretKey, type Operation } from './operation.ts';
import { ListCustomerPaymentsQuery, PaymentList } from './payments.ts';

/** Reading who paid. */
export const customerOperations = {
  listCustomers: {
    id: 'listCustomers',
    method: 'GET',
    path: '/v1/customers',
    tag: 'Customers',
    summary: 'List customers, the one with the latest payment first',
    description:
      'Everybody who started a payment in this mode, whatever became of it. A customer who starts one while you read pages moves to the ' +
      'first page.',
    accepts: secretKey,
    query: ListCustomersQuery,
    success: { status: 200, body: CustomerList },
    errors: [],
    isExtension: true,
  },
  getCustomer: {
    id: 'getCustomer',
    method: 'GET',
    path: '/v1/customers/{id}',
    tag: 'Customers',
    summary: 'Get a customer, with the number of their payments by state and the sums by currency',
    accepts: secretKey,
    success: { status: 200, body: Customer },
    errors: [],
    isExtension: true,
  },
  listCustomerPayments: {
    id: 'listCustomerPayments',
    method: 'GET',
    path: '/v1/customers/{id}/payments',
    tag: 'Customers',
    summary: 'List the payments of a customer in all group payments, newest first',
    accepts: secretKey,
    query: ListCustomerPaymentsQuery,
    success: { status: 200, body: PaymentList },
    errors: [],
    isExtension: true,
  },
} as const satisfies Record<string, Operation>;
