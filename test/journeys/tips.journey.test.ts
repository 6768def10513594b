import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MerchantApi, Pay } from '../support/api.ts';
import { booksShow, newGroup, openApi, payer } from '../support/journey.ts';
import { authorise } from '../support/payer.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant, type StackFile } from '../support/stack.ts';

const GATEWAYS = ['gateway_a', 'gateway_b', 'gateway_c'] as const;

let shared: SharedStack;
let stack: StackFile;
beforeAll(async () => {
  shared = await openSharedStack({ merchants: [...GATEWAYS] });
  stack = shared.stack;
});
afterAll(() => shared?.close());

/** Pays one slot with a tip, in a browser of its own. */
async function payWithTip(
  api: MerchantApi,
  id: string,
  slot: string,
  name: string,
  tip?: number,
): Promise<Pay> {
  const who = payer(name);
  const pay = await api.pay(id, { customer_email: who.email, slot_ids: [slot], ...(tip && { tip }) });
  await authorise(stack, api, id, pay, who);
  return pay;
}

describe.each(GATEWAYS)('on %s', (gateway) => {
  it('a tip is held and captured with its slot, the group is paid, and a refund gives it back where the gateway refunds (Q91, Q93, Q94)', async () => {
    const api = openApi(stack, findMerchant(stack, gateway));
    const group = await newGroup(api, 2, { currency: 'SEK', tips: { max_amount: 5 } });
    const { id } = group.group_payment;
    const [first, second] = group.payment_slots.map((slot) => slot.id);
    const tipped = await payWithTip(api, id, first!, 'ana', 2.5);
    expect(tipped).toMatchObject({ amount: 12.5, tip: 2.5 });
    const plain = await payWithTip(api, id, second!, 'ben');
    expect(plain).not.toHaveProperty('tip');
    await api.becomes(id, ['paid']);
    expect(Number((await booksShow(stack, tipped, 'captured')).captured_minor)).toBe(1_250);
    expect(Number((await booksShow(stack, plain, 'captured')).captured_minor)).toBe(1_000);
    const { payments } = await api.client.listPayments(id);
    expect(payments.map(({ amount, tip }) => [amount, tip])).toEqual([
      [10, undefined],
      [12.5, 2.5],
    ]);
    const find = async () =>
      (await api.client.getBalance()).balances.find(
        (each) => each.currency === 'SEK' && each.psp_code === gateway,
      );
    expect(await find()).toMatchObject({ amount_net: 22.5, amount_tips: 2.5 });
    if (gateway === 'gateway_c') return;
    await api.client.refundGroupPayment(id, { slot_ids: [first!] });
    expect(await find()).toMatchObject({ amount_net: 10, amount_tips: 0, amount_refunded: 12.5 });
  });

  it('a tip is refused where the group payment takes none, and beyond its limit (Q91)', async () => {
    const api = openApi(stack, findMerchant(stack, gateway));
    const wish = { customer_email: 'ana@payers.example', tip: 5.01 };
    for (const o of [{}, { tips: { max_amount: 5 } }]) {
      const { id } = (await newGroup(api, 1, o)).group_payment;
      await expect(api.client.payGroupPayment(id, wish)).rejects.toMatchObject({
        status: 400,
        code: 'validation_error',
      });
      expect((await api.findGroup(id)).payment_slots[0]?.state).toBe('unassigned');
    }
  });
});
