import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import {
  findCustomer,
  listCustomers,
  listPaymentsOfCustomer,
  searchCustomers,
  searchGroups,
  sumGroups,
  type CustomerView,
  type PaymentOfGroup,
} from '@gp/contracts';
import { notFound } from '@gp/errors';
import { openDashboard, type Dashboard, type Member } from './support/dashboard.ts';

const ids = ['1', '2', '3'].map((digit) => `0198c3f0-0000-7000-8000-00000000000${digit}`);
const [id = '', groupId = '', paymentId = ''] = ids;
const ana: CustomerView = {
  id,
  email: 'ana@example.com',
  name: 'Ana Lima',
  created_at: '2026-01-02T03:04:05.678Z',
  last_payment_at: '2026-01-09T03:04:05.678Z',
};
const next = { created_at: ana.last_payment_at, id };
const payment: PaymentOfGroup = {
  group_name: 'Casa Pepe',
  id: paymentId,
  group_id: groupId,
  currency: 'EUR',
  psp_code: 'gateway_a',
  state: 'failed',
  unknown: false,
  disputed: false,
  amount_minor: '1050',
  captured_minor: '0',
  refunded_minor: '0',
  slot_ids: [],
  failure: { code: 'card_declined', message: 'the card was declined', retryable: true },
  created_at: ana.last_payment_at,
  customer_id: id,
  email: ana.email,
  name: ana.name,
  psp_reference: null,
};

let dashboard: Dashboard;
let member: Member;
const asked: object[] = [];
beforeAll(async () => {
  dashboard = await openDashboard();
  member = await dashboard.newMerchant();
  const { others } = dashboard;
  const isKnown = (request: { merchant_id: string; mode: string }) =>
    request.merchant_id === member.id && request.mode === 'test';
  others.serve(listCustomers, async (request) => {
    asked.push(request);
    return { customers: [ana], next };
  });
  others.serve(findCustomer, async (request) => {
    if (!isKnown(request)) throw notFound('customer');
    return {
      customer: ana,
      payment_counts: [{ state: 'failed' as const, count: 1 }],
      sums: [{ currency: 'EUR', on_hold_minor: '0', captured_minor: '1050', refunded_minor: '5' }],
    };
  });
  others.serve(listPaymentsOfCustomer, async (request) => {
    if (!isKnown(request)) throw notFound('customer');
    asked.push(request);
    return { payments: [payment], next };
  });
  others.serve(searchGroups, async () => ({ groups: [], is_cut: false }));
  others.serve(sumGroups, async () => ({ sums: [] }));
  others.serve(searchCustomers, async (request) => {
    asked.push(request);
    return { customers: [ana], is_cut: true };
  });
});
afterAll(() => dashboard?.close());
beforeEach(() => void asked.splice(0));

const money = (minor: string, text: string) => ({ minor, currency: 'EUR', text });

it('customers are listed page by page, within days of their first and latest payment (Q65)', async () => {
  const query = new URLSearchParams({
    customer_email: 'ana@example.com',
    created_after: '2026-01-01T00:00:00+01:00',
    last_payment_before: '2026-02-01T00:00:00Z',
  });
  const { status, body } = await member.get(`/api/live/customers?${query.toString()}`);
  expect({ status, body }).toEqual({
    status: 200,
    body: { customers: [ana], next_cursor: expect.any(String) },
  });
  const { next_cursor } = body as { next_cursor: string };
  await member.get(`/api/live/customers?cursor=${next_cursor}`);
  const scope = { merchant_id: member.id, mode: 'live', limit: 20 };
  expect(asked).toEqual([
    {
      ...scope,
      customer_email: 'ana@example.com',
      created_after: '2025-12-31T23:00:00.000Z',
      last_payment_before: '2026-02-01T00:00:00.000Z',
    },
    { ...scope, after: next },
  ]);
});

it('a customer is shown with counts, amounts and payments, each with its group payment (Q65)', async () => {
  const shown = await member.get(`/api/test/customers/${id}`);
  expect([shown.status, shown.body]).toEqual([
    200,
    {
      ...ana,
      payment_counts: [{ state: 'failed', count: 1 }],
      amounts: [
        { on_hold: money('0', '0.00'), captured: money('1050', '10.50'), refunded: money('5', '0.05') },
      ],
    },
  ]);
  const { body } = await member.get(`/api/test/customers/${id}/payments?limit=1`);
  expect(body).toEqual({
    payments: [
      {
        id: paymentId,
        group_payment_id: groupId,
        group_name: 'Casa Pepe',
        psp_code: 'gateway_a',
        state: 'failed',
        amount: money('1050', '10.50'),
        refunded: money('0', '0.00'),
        is_disputed: false,
        failure: { code: 'card_declined', message: 'the card was declined', decline_reason: null },
        created_at: ana.last_payment_at,
      },
    ],
    next_cursor: expect.any(String),
  });
  expect(asked).toEqual([{ merchant_id: member.id, mode: 'test', customer_id: id, limit: 1 }]);
});

it('a customer of another merchant or mode, and a text that is no id, is a 404 (S9)', async () => {
  const other = await dashboard.newMerchant();
  for (const rest of ['', '/payments'])
    for (const reply of [
      await other.get(`/api/test/customers/${id}${rest}`),
      await member.get(`/api/live/customers/${id}${rest}`),
      await member.get(`/api/test/customers/ana${rest}`),
    ])
      expect(reply).toMatchObject({ status: 404, body: { message: 'customer not found' } });
});

it('the search finds customers beside group payments, and says that there are more (Q65)', async () => {
  const { status, body } = await member.get('/api/test/search?text=ana');
  expect({ status, body }).toEqual({
    status: 200,
    body: { group_payments: [], is_cut: false, customers: [ana], is_customers_cut: true },
  });
  expect(asked).toEqual([{ merchant_id: member.id, mode: 'test', text: 'ana' }]);
});

it.each(['limit=0', 'cursor=x', 'customer_email=ana', 'last_payment_after=x', 'search=ana', 'mode=live'])(
  'a list of customers asked for with %s is a mistake of the request',
  async (query) => {
    expect((await member.get(`/api/test/customers?${query}`)).status).toBe(400);
    expect(asked).toEqual([]);
  },
);
