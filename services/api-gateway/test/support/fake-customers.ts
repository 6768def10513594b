import type { Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { CustomerView } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { uuidv7 } from 'uuidv7';
import { fakePayerId, fakePayments } from './fake-payments.ts';

/** The customers of merchant m1 in test mode, the one with the latest payment first: Ana is the payer of every payment. */
export const fakeCustomers: readonly CustomerView[] = [
  {
    id: fakePayerId,
    email: 'ana@example.com',
    name: 'Ana',
    created_at: '2026-01-02T03:04:05.678Z',
    last_payment_at: '2026-01-09T03:04:05.678Z',
  },
  {
    id: uuidv7(),
    email: 'ben@example.com',
    name: null,
    created_at: '2026-01-03T00:00:00.000Z',
    last_payment_at: '2026-01-08T00:00:00.000Z',
  },
];

/** The group of the payments that a customer's list shows. */
export const fakeGroupId = uuidv7();

type Scope = { readonly merchant_id: string; readonly mode: contracts.Mode };
const isKnown = ({ merchant_id, mode }: Scope, id: string): boolean =>
  merchant_id === 'm1' && mode === 'test' && fakeCustomers.some((each) => each.id === id);

/** Serves the ledger's calls about customers; requests are added to `received`. */
export function serveCustomers(bus: Bus, received: object[]) {
  return [
    bus.serve(contracts.listCustomers, (request) => {
      received.push(request);
      const own = fakeCustomers.filter(({ id }) => isKnown(request, id));
      const from = request.after ? own.findIndex(({ id }) => id === request.after?.id) + 1 : 0;
      const customers = own.slice(from, from + request.limit);
      const last = from + request.limit < own.length ? customers.at(-1) : undefined;
      const next = last ? { created_at: last.last_payment_at, id: last.id } : null;
      return Promise.resolve({ customers, next });
    }),
    bus.serve(contracts.findCustomer, (request) => {
      const customer = fakeCustomers.find(({ id }) => id === request.customer_id);
      if (!customer || !isKnown(request, customer.id)) throw notFound('customer');
      return Promise.resolve({
        customer,
        payment_counts: [
          { state: 'captured' as const, count: 2 },
          { state: 'failed' as const, count: 1 },
        ],
        sums: ['BHD', 'EUR', 'JPY'].map((currency) => ({
          currency,
          on_hold_minor: '1050',
          captured_minor: '3000',
          refunded_minor: '5',
        })),
      });
    }),
    bus.serve(contracts.findCustomers, (request) => {
      received.push(request);
      const customers = fakeCustomers.filter(
        ({ id }) => isKnown(request, id) && request.customer_ids.includes(id),
      );
      return Promise.resolve({ customers });
    }),
    bus.serve(contracts.listPaymentsOfCustomer, (request) => {
      if (!isKnown(request, request.customer_id)) throw notFound('customer');
      const { payments, next } = fakePayments(request);
      const of = { group_id: fakeGroupId, currency: 'EUR' };
      return Promise.resolve({ payments: payments.map((payment) => ({ ...payment, ...of })), next });
    }),
  ];
}
