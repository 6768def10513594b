import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fakePayments } from './support/fake-payments.ts';
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
      for (const path of [first(), GROUPS])
        expect(await edge.get(`${path}?${query}`)).toMatchObject({
          status: 400,
          body: { param, message: `Validation error: ${param}: must be one of payments` },
        });
      expect(edge.fakes.received.payments).toEqual([]);
    },
  );

  it('a read of one group still ignores parameters that it does not know', async () => {
    expect((await edge.get(`${first()}?fields=all&expand=payments`)).status).toBe(200);
  });
});
