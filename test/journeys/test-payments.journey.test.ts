import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pspCodes } from '@gp/gateway-registry';
import { bookedPayments } from '../support/books.ts';
import { booksShow, effects, newGroup, openApi } from '../support/journey.ts';
import { expectError, openRequests } from '../support/requests.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant, type StackFile } from '../support/stack.ts';

let shared: SharedStack;
let stack: StackFile;

beforeAll(async () => {
  shared = await openSharedStack({ merchants: [...pspCodes] });
  stack = shared.stack;
});
afterAll(() => shared?.close());

type Card = 'approved' | 'declined' | 'authenticated' | 'authentication_failed' | 'expired_card';

const openSide = (gateway: string) => {
  const merchant = findMerchant(stack, gateway);
  return { api: openApi(stack, merchant), http: openRequests(stack.api, merchant.test_key) };
};
const buildBody = (card: Card, name = card.replaceAll('_', '-')) => ({
  customer_email: `${name}@payers.example`,
  customer_name: 'Ada Lovelace',
  card,
});

describe.each(pspCodes)('a test payment on %s', (psp_code) => {
  it('a group is paid by test payments alone, after a decline and with 3-D Secure (Q73)', async () => {
    const { api } = openSide(psp_code);
    const group = await newGroup(api, 2);
    const id = group.group_payment.id;
    const slot_ids = [group.payment_slots[0]?.id ?? ''];

    const declined = await api.client.createTestPayment(id, { ...buildBody('declined'), slot_ids });
    expect(declined).toMatchObject({
      psp_code,
      state: 'failed',
      failure: { code: 'card_declined' },
      amount: 10,
      currency: 'EUR',
      slot_ids,
      is_test_mode: true,
    });
    const held = await api.client.createTestPayment(id, { ...buildBody('approved'), slot_ids });
    expect(held).toMatchObject({ psp_code, state: 'preauthorised', failure: null, slot_ids });
    const last = await api.client.createTestPayment(id, buildBody('authenticated'));
    expect(last.failure).toBeNull();
    expect(last.slot_ids).toEqual([group.payment_slots[1]?.id]);

    await api.becomes(id, ['paid']);
    for (const payment of [held, last]) {
      const booked = await booksShow(stack, payment, 'captured');
      expect([effects(booked, 'authorise'), effects(booked, 'capture')]).toEqual([1, 1]);
    }
    const { payments } = await api.client.listPayments(id);
    expect(payments.map(({ customer_email, state }) => [customer_email, state])).toEqual([
      ['authenticated@payers.example', 'captured'],
      ['approved@payers.example', 'captured'],
      ['declined@payers.example', 'failed'],
    ]);
  });

  it('a test payment that fails 3-D Secure or whose card is declined fails and frees its slots (Q73)', async () => {
    const { api } = openSide(psp_code);
    const { group_payment } = await newGroup(api, 1);
    for (const card of ['authentication_failed', 'expired_card'] as const) {
      const payment = await api.client.createTestPayment(group_payment.id, buildBody(card));
      expect([payment.state, payment.failure?.code]).toEqual(['failed', expect.any(String)]);
    }
    const { payment_slots } = await api.findGroup(group_payment.id);
    expect(payment_slots.map(({ state }) => state)).toEqual(['unassigned']);
  });

  it('requests with one Idempotency-Key, at once and again, make one hold (Q73)', async () => {
    const { api, http } = openSide(psp_code);
    const { group_payment } = await newGroup(api, 1);
    const path = `/v1/group-payments/${group_payment.id}/test-payments`;
    const headers = { 'Idempotency-Key': `test-payment-${group_payment.id}` };
    const ask = () => http.post(path, buildBody('authenticated', 'repeats'), headers);
    const answers = [...(await Promise.all([ask(), ask()])), await ask()];
    const ids = answers.map(({ status, body }) => [status, body['payment_intent_id']]);
    expect(new Set(ids.map(String)).size).toBe(1);
    expect(ids[0]?.[0]).toBe(201);
    const booked = await bookedPayments(stack, psp_code, String(ids[0]?.[1]));
    expect(booked.map((payment) => effects(payment, 'authorise'))).toEqual([1]);
  });
});

describe('a test payment that cannot be made', () => {
  it('a test payment for a group that is paid is refused (Q73)', async () => {
    const { api, http } = openSide('gateway_a');
    const { group_payment } = await newGroup(api, 1);
    await api.client.createTestPayment(group_payment.id, buildBody('approved'));
    await api.becomes(group_payment.id, ['paid']);
    const path = `/v1/group-payments/${group_payment.id}/test-payments`;
    expectError(await http.post(path, buildBody('approved')), 409, 'group_not_payable');
  });
});
