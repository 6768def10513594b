import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fakePayerId, fakePayments } from './support/fake-payments.ts';
import { createBody, openEdge, type Edge } from './support/edge.ts';

const GROUPS = '/v1/group-payments';
type Payments = { payments: object[]; pagination: { has_more: boolean; next_cursor: string } };
type Group = { id: string; payments?: Payments };

let edge: Edge;
const made: string[] = [];
beforeAll(async () => {
  edge = await openEdge();
  for (let i = 0; i < 5; i++) {
    const created = await edge.post(GROUPS, createBody());
    made.push((created.body['group_payment'] as Group).id);
  }
});
afterAll(() => edge?.close());
beforeEach(() => edge.fakes.reset());

const first = () => `${GROUPS}/${made[0]}`;
const listed = async (query: string) =>
  (await edge.get(GROUPS + query)).body['group_payments'] as readonly Group[];

describe('expand=payments', () => {
  it('a group payment carries its payments as its own list of payments returns them, and only on request (Q39)', async () => {
    const { body: alone } = await edge.get(`${first()}/payments`);
    const { status, body } = await edge.get(`${first()}?expand=payments`);
    expect([status, body['payments']]).toEqual([200, alone]);
    expect(alone['payments']).toHaveLength(2);
    expect((await edge.get(first())).body).not.toHaveProperty('payments');
  });

  it('every group of a page carries its payments, for one more call to the ledger (Q39)', async () => {
    const groups = await listed('?limit=3&expand[]=payments');
    expect(groups.map(({ id }) => id)).toEqual(made.toReversed().slice(0, 3));
    for (const { id, payments } of groups)
      expect(payments).toEqual((await edge.get(`${GROUPS}/${id}/payments`)).body);
    const scope = { merchant_id: 'm1', mode: 'test' };
    expect(edge.fakes.received.payments).toEqual([
      { ...scope, group_ids: groups.map(({ id }) => id), limit: 20 },
    ]);
    expect((await listed('?limit=3')).some((group) => 'payments' in group)).toBe(false);
  });

  it('groups that a message of the ledger has no room for are requested again (Q39)', async () => {
    const { payments } = edge.fakes.answers;
    edge.fakes.answers.payments = (request) =>
      payments({ ...request, group_ids: request.group_ids.slice(0, 2) });
    const groups = await listed('?expand=payments');
    expect(groups.map((group) => group.payments?.payments.length)).toEqual([2, 2, 2, 2, 2]);
    expect(edge.fakes.received.payments.map(({ group_ids }) => group_ids.length)).toEqual([5, 3, 1]);
  });

  it('payments that are cut off continue at the list of payments with their cursor (Q39)', async () => {
    edge.fakes.answers.payments = () => Promise.resolve({ groups: [fakePayments({ limit: 1 })] });
    const { body } = await edge.get(`${first()}?expand=payments`);
    const { payments, pagination } = body['payments'] as Payments;
    expect([payments.length, pagination.has_more]).toEqual([1, true]);
    const rest = await edge.get(`${first()}/payments?cursor=${pagination.next_cursor}`);
    expect(rest.body).toMatchObject({ payments: [{ state: 'failed' }], pagination: { has_more: false } });
  });

  it('an empty page asks for no payments', async () => {
    expect(await listed('?expand=payments&offset=100')).toEqual([]);
    expect(edge.fakes.received.payments).toEqual([]);
  });

  it.each([
    ['expand=slots', 'expand[0]'],
    ['expand=payments&expand=slots', 'expand[1]'],
    ['expand[]=', 'expand[0]'],
  ])(
    'an unknown name to expand is a 400 that names its place, one group or many: %s (Q39)',
    async (query, param) => {
      for (const [path, names] of [
        [first(), 'payments, customers'],
        [GROUPS, 'payments'],
      ] as const)
        expect(await edge.get(`${path}?${query}`)).toMatchObject({
          status: 400,
          body: { param, message: `Validation error: ${param}: must be one of ${names}` },
        });
      expect(edge.fakes.received.payments).toEqual([]);
    },
  );

  it('a read of one group still ignores parameters that it does not know', async () => {
    expect((await edge.get(`${first()}?fields=all&expand=payments`)).status).toBe(200);
  });
});

describe('expand=customers', () => {
  const shown = {
    customer_id: fakePayerId,
    customer_email: 'ana@example.com',
    customer_name: 'Ana',
    created_at: '2026-01-02T03:04:05.678Z',
    last_payment_at: '2026-01-09T03:04:05.678Z',
    is_test_mode: true,
  };
  const asked = { merchant_id: 'm1', mode: 'test', customer_ids: [fakePayerId] };

  it('a page of payments carries its payers once each, for one more call to the ledger (Q63)', async () => {
    const { body: alone } = await edge.get(`${first()}/payments`);
    expect(alone).not.toHaveProperty('customers');
    expect(edge.fakes.received.customers).toEqual([]);
    const { status, body } = await edge.get(`${first()}/payments?expand=customers`);
    expect({ status, body }).toEqual({ status: 200, body: { ...alone, customers: [shown] } });
    expect(edge.fakes.received.customers).toEqual([asked]);
  });

  it('a group payment carries the customers that it names: of its slots, and of the payments shown with it (Q63)', async () => {
    const { body: none } = await edge.get(`${first()}?expand=customers`);
    expect(none['customers']).toEqual([]);
    expect(none).not.toHaveProperty('payments');
    expect(edge.fakes.received.customers).toEqual([]);
    const { body: both } = await edge.get(`${first()}?expand=customers&expand=payments`);
    expect(both['customers']).toEqual([shown]);
    expect((both['payments'] as Payments).payments).toHaveLength(2);
    const [slot] = edge.fakes.slotsOf(made[0] ?? '');
    Object.assign(slot ?? {}, { assigned_customer_id: fakePayerId });
    expect((await edge.get(`${first()}?expand[]=customers`)).body['customers']).toEqual([shown]);
    Object.assign(slot ?? {}, { assigned_customer_id: null });
  });

  it('a page of payments expands nothing but its customers, and a list of groups no customers (Q63)', async () => {
    for (const [path, names] of [
      [`${first()}/payments?expand=payments`, 'customers'],
      [`${GROUPS}?expand=customers`, 'payments'],
    ] as const)
      expect(await edge.get(path)).toMatchObject({
        status: 400,
        body: { message: `Validation error: expand[0]: must be one of ${names}` },
      });
  });
});
