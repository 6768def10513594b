import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { openEdge, type Edge } from './support/edge.ts';
import { fakeCustomers, fakeGroupId } from './support/fake-customers.ts';

const CUSTOMERS = '/v1/customers';

let edge: Edge;
beforeAll(async () => void (edge = await openEdge()));
afterAll(() => edge?.close());
beforeEach(() => edge.fakes.reset());

const [ana, ben] = fakeCustomers;
const shown = {
  customer_id: ana?.id,
  customer_email: 'ana@example.com',
  customer_name: 'Ana',
  created_at: '2026-01-02T03:04:05.678Z',
  last_payment_at: '2026-01-09T03:04:05.678Z',
  is_test_mode: true,
};
const scope = { merchant_id: 'm1', mode: 'test' };

describe('GET /v1/customers', () => {
  it('customers are shown with address, name, and first and latest payment, page by page (Q60)', async () => {
    const first = await edge.get(`${CUSTOMERS}?limit=1`);
    const { next_cursor } = first.body['pagination'] as { next_cursor: string };
    expect([first.status, first.body]).toEqual([
      200,
      { customers: [shown], pagination: { limit: 1, has_more: true, next_cursor } },
    ]);
    const second = await edge.get(`${CUSTOMERS}?limit=1&cursor=${next_cursor}`);
    expect(second.body).toMatchObject({
      customers: [{ customer_id: ben?.id, customer_name: null }],
      pagination: { limit: 1, has_more: false, next_cursor: null },
    });
    expect(edge.fakes.received.customers).toEqual([
      { ...scope, limit: 1 },
      { ...scope, limit: 1, after: { created_at: ana?.last_payment_at, id: ana?.id } },
    ]);
  });

  it('an e-mail address and the bounds of both instants go to the ledger in UTC (Q60)', async () => {
    const query = new URLSearchParams({
      customer_email: 'Ana@Example.com',
      created_after: '2026-01-01T02:00:00+02:00',
      created_before: '2026-02-01T00:00:00Z',
      last_payment_after: '2026-01-01T00:00:00.5Z',
      last_payment_before: '2026-03-01T00:00:00.123456Z',
    });
    expect((await edge.get(`${CUSTOMERS}?${query.toString()}`)).status).toBe(200);
    expect(edge.fakes.received.customers).toEqual([
      {
        ...scope,
        limit: 20,
        customer_email: 'Ana@Example.com',
        created_after: '2026-01-01T00:00:00.000Z',
        created_before: '2026-02-01T00:00:00.000Z',
        last_payment_after: '2026-01-01T00:00:00.500Z',
        last_payment_before: '2026-03-01T00:00:00.123Z',
      },
    ]);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['cursor=x', 'cursor'],
    ['customer_email=ana', 'customer_email'],
    ['last_payment_after=yesterday', 'last_payment_after'],
    [
      'last_payment_after=2026-01-02T00:00:00Z&last_payment_before=2026-01-01T00:00:00Z',
      'last_payment_after',
    ],
    ['created_before=2026-02-30T00:00:00Z', 'created_before'],
    ['email=ana@example.com', 'email'],
  ])('a list of customers with %s is a 400 that names the parameter (Q60)', async (query, param) => {
    expect(await edge.get(`${CUSTOMERS}?${query}`)).toMatchObject({ status: 400, body: { param } });
    expect(edge.fakes.received.customers).toEqual([]);
  });

  it('a cursor of another list, merchant or mode is no cursor of this one (S9)', async () => {
    const cursorOf = async (path: string) =>
      ((await edge.get(path)).body['pagination'] as { next_cursor: string }).next_cursor;
    const own = await cursorOf(`${CUSTOMERS}?limit=1`);
    const ofPayments = await cursorOf(`${CUSTOMERS}/${ana?.id}/payments?limit=1`);
    const live = (await edge.addKey('live')).key;
    const { key } = await edge.addKey('test', { merchant_id: 'm2' });
    for (const reply of [
      await edge.get(`${CUSTOMERS}?cursor=${ofPayments}`),
      await edge.get(`${CUSTOMERS}?cursor=${own}`, { key: live }),
      await edge.get(`${CUSTOMERS}?cursor=${own}`, { key }),
      await edge.get(`${CUSTOMERS}/${ben?.id}/payments?cursor=${ofPayments}`),
    ])
      expect(reply).toMatchObject({ status: 400, body: { param: 'cursor' } });
  });
});

describe('GET /v1/customers/{id}', () => {
  it('a customer is shown with counts by state, and sums with the decimals of each currency (Q61)', async () => {
    const { status, body, text } = await edge.get(`${CUSTOMERS}/${ana?.id}`);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        ...shown,
        payment_counts: [
          { state: 'captured', count: 2 },
          { state: 'failed', count: 1 },
        ],
      },
    });
    const of = (currency: string, [held, captured, refunded]: string[]) =>
      `{"currency":"${currency}","amount_on_hold":${held},"amount_captured":${captured},"amount_refunded":${refunded}}`;
    expect(text).toContain(
      `"amounts":[${[
        of('BHD', ['1.050', '3.000', '0.005']),
        of('EUR', ['10.50', '30.00', '0.05']),
        of('JPY', ['1050', '3000', '5']),
      ].join(',')}]`,
    );
  });
});

describe('GET /v1/customers/{id}/payments', () => {
  it('the payments of a customer have the form of those of a group, and are read page by page (Q62)', async () => {
    const path = `${CUSTOMERS}/${ana?.id}/payments`;
    const first = await edge.get(`${path}?limit=1`);
    const { next_cursor } = first.body['pagination'] as { next_cursor: string };
    const { body: ofGroup } = await edge.get(
      `/v1/group-payments/${await edge.newGroupId()}/payments?limit=1`,
    );
    const [payment] = ofGroup['payments'] as object[];
    expect(first.body).toEqual({
      payments: [{ ...payment, group_payment_id: fakeGroupId }],
      pagination: { limit: 1, has_more: true, next_cursor },
    });
    const second = await edge.get(`${path}?cursor=${next_cursor}`);
    expect(second.body).toMatchObject({
      payments: [{ state: 'failed', currency: 'EUR' }],
      pagination: { has_more: false, next_cursor: null },
    });
    expect((await edge.get(`${path}?expand=customers`)).status).toBe(400);
  });
});

describe('a customer of somebody else', () => {
  it('a customer of another merchant or mode, and one that does not exist, is a 404 (S9)', async () => {
    const { key } = await edge.addKey('test', { merchant_id: 'm2' });
    const live = (await edge.addKey('live')).key;
    for (const rest of ['', '/payments'])
      for (const reply of [
        await edge.get(`${CUSTOMERS}/${ana?.id}${rest}`, { key }),
        await edge.get(`${CUSTOMERS}/${ana?.id}${rest}`, { key: live }),
        await edge.get(`${CUSTOMERS}/${uuidv7()}${rest}`),
        await edge.get(`${CUSTOMERS}/ana@example.com${rest}`),
      ])
        expect(reply).toMatchObject({ status: 404, body: { message: 'customer not found' } });
    expect((await edge.get(CUSTOMERS, { key })).body['customers']).toEqual([]);
  });

  it('a restricted key needs the scope to read, and no other one (K6)', async () => {
    const { key } = await edge.addKey('test', { scopes: ['read'] });
    const others = ['payments', 'refunds', 'webhooks', 'logs', 'test_clock'];
    const { key: other } = await edge.addKey('test', { scopes: others });
    for (const path of [CUSTOMERS, `${CUSTOMERS}/${ana?.id}`, `${CUSTOMERS}/${ana?.id}/payments`]) {
      expect((await edge.get(path, { key })).status).toBe(200);
      expect(await edge.get(path, { key: other })).toMatchObject({
        status: 403,
        body: { code: 'insufficient_scope' },
      });
    }
  });
});
