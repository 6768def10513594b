import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@group-payments/client';
import type { Group, MerchantApi } from '../support/api.ts';
import { newGroup, openApi, payer, paySlot } from '../support/journey.ts';
import { operator } from '../support/operator.ts';
import { expectError, openRequests } from '../support/requests.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant, type StackFile } from '../support/stack.ts';

let shared: SharedStack;
let stack: StackFile;
let api: MerchantApi;
beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_a', 'gateway_b'] });
  stack = shared.stack;
  api = openApi(stack, findMerchant(stack, 'gateway_b'));
});
afterAll(() => shared?.close());

const getId = (group: Group): string => group.group_payment.id;

type Customer = Awaited<ReturnType<Client['listCustomers']>>['customers'][number];
const findByEmail = async (customer_email: string): Promise<Customer | undefined> =>
  (await api.client.listCustomers({ customer_email })).customers[0];

/** A group of two shares, the first of which this payer holds. */
async function heldBy(name: string, o: Record<string, unknown> = {}): Promise<Group> {
  const group = await newGroup(api, 2, o);
  await paySlot(stack, api, group, 0, payer(name));
  return group;
}

describe('the customers of a merchant', () => {
  it('a customer who pays in several groups has the sums, counts and payments of all of them (Q61, Q62)', async () => {
    const [paid, held] = [await heldBy('ivy'), await heldBy('ivy', { currency: 'USD' })];
    await paySlot(stack, api, paid, 1, payer('jack'));
    await api.becomes(getId(paid), ['paid']);
    await api.client.refundGroupPayment(getId(paid), { slot_ids: [paid.payment_slots[0]?.id ?? ''] });
    const ivy = await findByEmail('IVY@payers.example');
    const customer = await api.client.getCustomer(ivy?.customer_id ?? '');
    expect(customer).toMatchObject({
      customer_email: 'ivy@payers.example',
      customer_name: 'ivy Example',
      is_test_mode: true,
      payment_counts: [
        { state: 'preauthorised', count: 1 },
        { state: 'refunded', count: 1 },
      ],
      amounts: [
        { currency: 'EUR', amount_on_hold: 0, amount_captured: 10, amount_refunded: 10 },
        { currency: 'USD', amount_on_hold: 10, amount_captured: 0, amount_refunded: 0 },
      ],
    });
    const { payments } = await api.client.listCustomerPayments(customer.customer_id);
    const ofGroups = await Promise.all(
      [held, paid].map(async (group) => (await api.client.listPayments(getId(group))).payments),
    );
    const own = ofGroups.flat().filter(({ customer_id }) => customer_id === customer.customer_id);
    expect(payments).toEqual(own);
    expect([customer.last_payment_at, customer.created_at]).toEqual(
      payments.map(({ created_at }) => created_at),
    );
  });

  it('customers come in the order of their latest payment, and a new payment moves one to the front (Q60)', async () => {
    const order = async () =>
      (await api.client.listCustomers({ limit: 100 })).customers
        .map(({ customer_email }) => customer_email)
        .filter((email) => /^(?:kim|lou)@/.test(email));
    await heldBy('kim');
    await heldBy('lou');
    expect(await order()).toEqual(['lou@payers.example', 'kim@payers.example']);
    await heldBy('kim');
    expect(await order()).toEqual(['kim@payers.example', 'lou@payers.example']);
  });

  it('the payers that a group and its payments name are added with expand=customers (Q63)', async () => {
    const group = await heldBy('mia');
    const mia = await findByEmail('mia@payers.example');
    const found = await api.client.getGroupPayment(getId(group), { expand: ['customers'] });
    expect(found.customers).toEqual([mia]);
    expect(found.payment_slots[0]?.assigned_customer_id).toBe(mia?.customer_id);
    const { customers } = await api.client.listPayments(getId(group), { expand: ['customers'] });
    expect(customers).toEqual([mia]);
    expect(await api.client.getGroupPayment(getId(group))).not.toHaveProperty('customers');
  });

  it('another merchant and the other mode neither list nor find a customer (S9)', async () => {
    await heldBy('noa');
    const noa = await findByEmail('noa@payers.example');
    const path = `/v1/customers/${noa?.customer_id}`;
    const own = findMerchant(stack, 'gateway_b');
    for (const key of [findMerchant(stack, 'gateway_a').test_key, own.live_key]) {
      const stranger = openRequests(stack.api, key);
      expectError(await stranger.get(path), 404, 'not_found');
      expectError(await stranger.get(`${path}/payments`), 404, 'not_found');
      const listed = await stranger.get('/v1/customers?limit=100');
      expect([listed.status, JSON.stringify(listed.body).includes('noa@')]).toEqual([200, false]);
    }
  });

  it('a customer whom an operator erases has no name and address any more, and the payments stay (Q31, Q64)', async () => {
    await heldBy('leaver');
    const leaver = await findByEmail('leaver@payers.example');
    const { merchant_id } = findMerchant(stack, 'gateway_b');
    const whom = ['--merchant', merchant_id, '--mode', 'test', '--email', 'leaver@payers.example'];
    await operator(stack, 'payers', 'forget', ...whom);
    expect(await findByEmail('leaver@payers.example')).toBeUndefined();
    const id = leaver?.customer_id ?? '';
    expect(await api.client.getCustomer(id)).toMatchObject({
      customer_email: `${id}@erased.invalid`,
      customer_name: null,
      amounts: [{ amount_on_hold: 10 }],
    });
    expect((await api.client.listCustomerPayments(id)).payments).toHaveLength(1);
  });
});
