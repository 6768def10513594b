import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { booksShow, effects, newGroup, openApi, payer, paySlot } from '../support/journey.ts';
import type { Group, MerchantApi } from '../support/api.ts';
import { cards, postCard } from '../support/payer.ts';
import { expectError, openRequests, type Requests } from '../support/requests.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant, type StackFile } from '../support/stack.ts';

const GATEWAYS = ['gateway_a', 'gateway_b'] as const;

let shared: SharedStack;
let stack: StackFile;
beforeAll(async () => {
  shared = await openSharedStack({ merchants: GATEWAYS });
  stack = shared.stack;
});
afterAll(() => shared?.close());

function open(gateway: string): { readonly api: MerchantApi; readonly http: Requests } {
  const merchant = findMerchant(stack, gateway);
  return { api: openApi(stack, merchant), http: openRequests(stack.api, merchant.test_key) };
}

const getId = (group: Group): string => group.group_payment.id;
const slotId = (group: Group, index: number): string => group.payment_slots[index]?.id ?? '';
const listIds = async (api: MerchantApi, filter: Record<string, string>): Promise<readonly string[]> =>
  (await api.client.listGroupPayments(filter)).group_payments.map(({ id }) => id);

describe('the payments of a group', () => {
  it.each(GATEWAYS)(
    'on %s a merchant reads who pays which slots, under which reference of the gateway, and how much was captured',
    async (gateway) => {
      const { api } = open(gateway);
      const group = await newGroup(api, 2);
      const first = await paySlot(stack, api, group, 0, payer('ana'));
      const held = await api.client.listPayments(getId(group));
      expect(held.payments).toMatchObject([
        {
          payment_intent_id: first.payment_intent_id,
          amount: 10,
          amount_captured: 0,
          slot_ids: [slotId(group, 0)],
        },
      ]);
      const second = await paySlot(stack, api, group, 1, payer('ben'));
      await api.becomes(getId(group), ['paid']);
      const { payments, pagination } = await api.client.listPayments(getId(group));
      const payersBySlot = (await api.findGroup(getId(group))).payment_slots;
      for (const [index, pay, name] of [
        [1, first, 'ana'],
        [0, second, 'ben'],
      ] as const) {
        const booked = await booksShow(stack, pay, 'captured');
        expect(payments[index]).toMatchObject({
          payment_intent_id: pay.payment_intent_id,
          group_payment_id: getId(group),
          psp_code: gateway,
          state: 'captured',
          is_outcome_unknown: false,
          is_disputed: false,
          amount: 10,
          amount_captured: 10,
          amount_refunded: 0,
          currency: 'EUR',
          slot_ids: pay.slot_ids,
          customer_id: payersBySlot[1 - index]?.assigned_customer_id,
          customer_email: `${name}@payers.example`,
          customer_name: `${name} Example`,
          gateway_reference: booked.psp_reference,
          failure: null,
          is_test_mode: true,
        });
      }
      expect(pagination).toEqual({ limit: 20, has_more: false, next_cursor: null });
    },
  );

  it('a declined payment stays in the list with its reason, beside the one that held the slot', async () => {
    const { api } = open('gateway_a');
    const group = await newGroup(api, 1);
    const slot_ids = [slotId(group, 0)];
    const declined = await api.pay(getId(group), { customer_email: 'ana@payers.example', slot_ids });
    await expect(postCard(stack, declined, cards.declined)).rejects.toMatchObject({
      answer: { status: 402 },
    });
    await api.slotBecomes(getId(group), 0, 'unassigned');
    const held = await paySlot(stack, api, group, 0, payer('ben'));
    await api.becomes(getId(group), ['paid']);
    const { payments } = await api.client.listPayments(getId(group));
    expect(payments).toMatchObject([
      { payment_intent_id: held.payment_intent_id, state: 'captured', failure: null },
      {
        payment_intent_id: declined.payment_intent_id,
        state: 'failed',
        amount_captured: 0,
        customer_email: 'ana@payers.example',
        failure: { code: expect.any(String), message: expect.any(String), retryable: expect.any(Boolean) },
      },
    ]);
  });

  it('pages of payments follow each other without a gap, and a refund is counted', async () => {
    const { api } = open('gateway_b');
    const group = await newGroup(api, 3);
    const pays = [];
    for (const index of [0, 1, 2]) pays.push(await paySlot(stack, api, group, index, payer(`p${index}`)));
    await api.becomes(getId(group), ['paid']);
    const one = await api.client.listPayments(getId(group), { limit: 2 });
    const cursor = one.pagination.next_cursor ?? '';
    const two = await api.client.listPayments(getId(group), { limit: 2, cursor });
    const ids = [...one.payments, ...two.payments].map(({ payment_intent_id }) => payment_intent_id);
    expect(ids).toEqual(pays.map(({ payment_intent_id }) => payment_intent_id).reverse());
    expect([one.pagination.has_more, two.pagination.has_more]).toEqual([true, false]);
    await api.client.refundGroupPayment(getId(group), { slot_ids: [slotId(group, 1)] });
    const { payments } = await api.client.listPayments(getId(group));
    expect(payments.map(({ amount_refunded }) => amount_refunded)).toEqual([0, 10, 0]);
  });
});

describe('expand', () => {
  it('a merchant reads payments with their group and with a page of groups, and another merchant neither (Q39)', async () => {
    const { api } = open('gateway_b');
    const client_reference = 'expanded';
    const [group, empty] = [
      await newGroup(api, 2, { client_reference }),
      await newGroup(api, 1, { client_reference }),
    ];
    await paySlot(stack, api, group, 0, payer('expander'));
    const payments = await api.client.listPayments(getId(group));
    expect(payments.payments).toMatchObject([{ customer_email: 'expander@payers.example' }]);
    const expand = ['payments'] as const;
    expect((await api.client.getGroupPayment(getId(group), { expand })).payments).toEqual(payments);
    const page = await api.client.listGroupPayments({ client_reference, expand });
    const found = page.group_payments.map((item) => [item.id, item.payments?.payments.length]);
    expect(found).toEqual([
      [getId(empty), 0],
      [getId(group), 1],
    ]);
    const stranger = open('gateway_a').http;
    const path = `/v1/group-payments/${getId(group)}?expand=payments`;
    expectError(await stranger.get(path), 404, 'not_found');
    const theirs = await stranger.get('/v1/group-payments?limit=100&expand=payments');
    expect(JSON.stringify(theirs.body)).not.toContain('expander@');
  });
});

describe('cancelling', () => {
  it.each(GATEWAYS)(
    'on %s a cancelled group releases its hold, charges nobody and takes no payer any more (Q2)',
    async (gateway) => {
      const { api, http } = open(gateway);
      const group = await newGroup(api, 2);
      const pay = await paySlot(stack, api, group, 0, payer('ana'));
      const cancelled = await api.client.cancelGroupPayment(getId(group), {
        idempotencyKey: `end-${getId(group)}`,
      });
      expect(cancelled.group_payment.state).toBe('cancelled');
      expect(cancelled.payment_slots.map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
      const booked = await booksShow(stack, pay, 'voided');
      expect([Number(booked.captured_minor), effects(booked, 'void')]).toEqual([0, 1]);
      const path = `/v1/group-payments/${getId(group)}`;
      const late = await http.post(`${path}/pay`, { customer_email: 'ben@payers.example' });
      expectError(late, 409, 'group_not_payable');
      const again = await http.post(`${path}/cancel`);
      expect([again.status, again.body['group_payment']]).toMatchObject([200, { state: 'cancelled' }]);
      await eventually(async () => {
        const [payment] = (await api.client.listPayments(getId(group))).payments;
        return payment?.state === 'voided' || undefined;
      });
    },
  );

  it('a paid group cannot be cancelled, and its refund still can be asked for', async () => {
    const { api, http } = open('gateway_b');
    const group = await newGroup(api, 1);
    await paySlot(stack, api, group, 0, payer('ana'));
    await api.becomes(getId(group), ['paid']);
    const refused = await http.post(`/v1/group-payments/${getId(group)}/cancel`);
    expectError(refused, 409, 'group_not_payable');
    expect(refused.body['message']).toBe('the group payment cannot be cancelled in its current state');
    expect((await api.client.refundGroupPayment(getId(group))).group_state).toBe('refunded');
  });
});

describe('finding groups', () => {
  it('a merchant finds a group by its own reference, by its order number and by a payer, alone or together', async () => {
    const { api } = open('gateway_b');
    const client_reference = 'table 7, evening';
    const [group, other] = [await newGroup(api, 2, { client_reference }), await newGroup(api, 1)];
    expect(group.group_payment.client_reference).toBe(client_reference);
    const { merchant_order_id } = group.group_payment;
    await paySlot(stack, api, group, 0, payer('finder'));
    const customer_email = 'Finder@payers.example';
    for (const filter of [{ client_reference }, { merchant_order_id }, { customer_email }])
      expect(await listIds(api, filter)).toEqual([getId(group)]);
    expect(await listIds(api, { client_reference, merchant_order_id, customer_email })).toEqual([
      getId(group),
    ]);
    expect(
      await listIds(api, { client_reference, merchant_order_id: other.group_payment.merchant_order_id }),
    ).toEqual([]);
    expect(await listIds(api, { client_reference, state: 'open' })).toEqual([]);
  });

  it('a merchant finds groups by pairs of their metadata, as they are after an update (Q38)', async () => {
    const { api } = open('gateway_b');
    const group = await newGroup(api, 1, { metadata: { order: 4711, till: 'bar' } });
    const find = async (metadata: Record<string, string>) =>
      (await api.client.listGroupPayments({ metadata })).group_payments.map(({ id }) => id);
    expect(await find({ order: '4711' })).toEqual([getId(group)]);
    expect(await find({ order: '4711', till: 'main' })).toEqual([]);
    await api.client.updateGroupPayment(getId(group), { metadata: { order: 4711, till: 'main' } });
    expect(await find({ order: '4711', till: 'main' })).toEqual([getId(group)]);
    expect(await find({ order: '4711', till: 'bar' })).toEqual([]);
  });

  it('another merchant finds nothing by the same reference or payer, and reads no payments', async () => {
    const { api } = open('gateway_a');
    const group = await newGroup(api, 1, { client_reference: 'mine' });
    await paySlot(stack, api, group, 0, payer('known'));
    const stranger = open('gateway_b');
    expect(await listIds(stranger.api, { client_reference: 'mine' })).toEqual([]);
    expect(await listIds(stranger.api, { customer_email: 'known@payers.example' })).toEqual([]);
    const path = `/v1/group-payments/${getId(group)}`;
    expectError(await stranger.http.get(`${path}/payments`), 404, 'not_found');
    expectError(await stranger.http.post(`${path}/cancel`), 404, 'not_found');
  });
});
