import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openEdge, type Edge } from './support/edge.ts';

let edge: Edge;
let group: string;
beforeAll(async () => {
  edge = await openEdge();
  group = await edge.newGroupId();
});
afterAll(() => edge?.close());
beforeEach(() => edge.fakes.reset());

const list = (query = '', of = group, o = {}) => edge.get(`/v1/group-payments/${of}/payments${query}`, o);

describe('GET /v1/group-payments/{id}/payments', () => {
  it('the payments of a group are shown with payer, slots, gateway and amounts in currency units (Q35)', async () => {
    const { status, text, body } = await list('?limit=1');
    expect(status).toBe(200);
    expect(text).toContain('"amount":10.50,"amount_captured":10.50,"amount_refunded":0.00');
    expect(body['payments']).toEqual([
      {
        payment_intent_id: expect.any(String),
        group_payment_id: group,
        psp_code: 'gateway_b',
        state: 'captured',
        is_outcome_unknown: false,
        is_disputed: false,
        amount: 10.5,
        amount_captured: 10.5,
        amount_refunded: 0,
        currency: 'EUR',
        slot_ids: [expect.any(String)],
        customer_id: expect.any(String),
        customer_email: 'ana@example.com',
        customer_name: 'Ana',
        gateway_reference: 'pay_1',
        failure: null,
        is_test_mode: true,
        created_at: expect.any(String),
      },
    ]);
  });

  it('the payments of a group are read page by page; a cursor of another group is a 400', async () => {
    const first = await list('?limit=1');
    const { next_cursor } = first.body['pagination'] as { next_cursor: string };
    expect(first.body['pagination']).toEqual({ limit: 1, has_more: true, next_cursor });
    const second = await list(`?limit=1&cursor=${next_cursor}`);
    expect(second.body).toMatchObject({
      payments: [{ state: 'failed', failure: { code: 'card_declined' }, gateway_reference: null }],
      pagination: { limit: 1, has_more: false, next_cursor: null },
    });
    expect(await list(`?cursor=${next_cursor}`, await edge.newGroupId())).toMatchObject({
      status: 400,
      body: { param: 'cursor' },
    });
  });

  it.each(['?limit=0', '?limit=101', '?offset=1', '?cursor=x'])(
    'the payments of a group asked for with %s are a 400',
    async (query) => expect((await list(query)).status).toBe(400),
  );

  it('the payments of a group of another merchant or mode are a 404 (S9)', async () => {
    const { key } = await edge.addKey('test', { merchant_id: 'm2' });
    const live = (await edge.addKey('live')).key;
    for (const reply of [
      await list('', group, { key }),
      await list('', group, { key: live }),
      await list('', 'x'),
    ])
      expect(reply).toMatchObject({ status: 404, body: { message: 'group payment not found' } });
  });
});
