import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newGroup, openApi, payer, paySlot } from '../support/journey.ts';
import { merchantApi, type MerchantApi } from '../support/api.ts';
import { expectError, openRequests } from '../support/requests.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant, type Merchant, type StackFile } from '../support/stack.ts';

/** A currency of this file alone, of which other files' payments add nothing to the merchant's balance. */
const currency = 'NOK';
const DAY_MS = 86_400_000;
const day = (offset: number): string => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);
/** Contains every day on which the merchant's test clock may stand. */
const period = { from: day(-1), to: day(80) };

let shared: SharedStack;
let stack: StackFile;
let merchant: Merchant;
let api: MerchantApi;
beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_a', 'gateway_b'] });
  stack = shared.stack;
  merchant = findMerchant(stack, 'gateway_a');
  api = openApi(stack, merchant);
});
afterAll(() => shared?.close());

const cents = (amount: number): number => Math.round(amount * 100);
const read = async (from = api) => ({
  balance: (await from.client.getBalance()).balances.find((each) => each.currency === currency),
  statement: (await from.client.getStatement(period)).statements.find((each) => each.currency === currency),
});

describe('the balance of a merchant', () => {
  it('a hold, a capture and a refund are in the balance and in the statement of their day, and add up (Q46, Q47)', async () => {
    expect((await read()).balance).toBeUndefined();
    const group = await newGroup(api, 2, { currency, total_amount: 20.5 });
    const { id } = group.group_payment;
    await paySlot(stack, api, group, 0, payer('ana'));
    await api.slotBecomes(id, 0, 'preauthorised');
    expect((await read()).balance).toMatchObject({
      psp_code: 'gateway_a',
      amount_on_hold: 10.25,
      amount_net: 0,
      amount_held: 10.25,
      amount_captured: 0,
    });
    await paySlot(stack, api, group, 1, payer('ben'));
    await api.becomes(id, ['paid']);
    await api.client.refundGroupPayment(id, { slot_ids: [group.payment_slots[1]?.id ?? ''] });
    const { balance, statement } = await read();
    const moved = {
      amount_held: 20.5,
      amount_released: 0,
      amount_captured: 20.5,
      amount_refunded: 10.25,
      amount_returned: 0,
      amount_reversed: 0,
      amount_disputed: 0,
    };
    const closing = { amount_on_hold: 0, amount_net: 10.25, amount_tips: 0 };
    expect(balance).toEqual({ psp_code: 'gateway_a', currency, ...closing, ...moved });
    expect(statement).toMatchObject({
      opening: { amount_on_hold: 0, amount_net: 0 },
      movements: moved,
      closing,
    });
    const { payments } = await api.client.listPayments(id);
    const sum = (name: 'amount_captured' | 'amount_refunded') =>
      payments.reduce((total, payment) => total + cents(payment[name]), 0);
    expect([sum('amount_captured'), sum('amount_refunded')]).toEqual([2_050, 1_025]);
    const days = statement?.days ?? [];
    expect(days.reduce((total, each) => total + cents(each.amount_captured), 0)).toBe(2_050);
    expect(days.at(-1)).toMatchObject(closing);
  });

  it('the other mode, and another merchant, have none of it (S9)', async () => {
    const live = merchantApi(stack.api, merchant.live_key);
    const other = openApi(stack, findMerchant(stack, 'gateway_b'));
    for (const stranger of [live, other])
      expect(await read(stranger)).toEqual({ balance: undefined, statement: undefined });
    expect(await live.client.getBalance()).toMatchObject({ is_test_mode: false });
  });

  it.each([
    ['to', 'from=2026-02-01&to=2026-01-31'],
    ['to', 'from=2026-01-01&to=2026-12-31'],
    ['from', 'from=2026-02-30'],
    ['time_zone', 'time_zone=Europe/Nowhere'],
  ])('a wrong %s, in %s, is a 400 that names it (Q48)', async (param, query) => {
    const http = openRequests(stack.api, merchant.test_key);
    const answer = await http.get(`/v1/balance/statement?${query}`);
    expectError(answer, 400, 'validation_error');
    expect(answer.body).toMatchObject({ param });
  });
});
