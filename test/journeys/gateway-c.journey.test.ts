import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { comeBack } from '../support/forms.ts';
import type { Group, Json, MerchantApi, Pay } from '../support/api.ts';
import { bookedPayments } from '../support/books.ts';
import { openApi, beforeExpiry, booksShow, effects, newGroup, payer, paySlot } from '../support/journey.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { followSlots, openPage } from '../support/page.ts';
import { cards, payAtBank } from '../support/payer.ts';
import { brokenPromises } from '../support/promises.ts';
import { openRequests } from '../support/requests.ts';
import { findMerchant } from '../support/stack.ts';
import { switchGateway } from '../support/switch-gateway.ts';

let shared: SharedStack;
let api: MerchantApi;
beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_c', 'multi'] });
  api = openApi(shared.stack, findMerchant(shared.stack, 'gateway_c'));
});
afterAll(() => shared?.close());

const take = (group: Group, index: number, name: string): Promise<Pay> =>
  api.pay(group.group_payment.id, {
    customer_email: `${name}@payers.example`,
    slot_ids: [group.payment_slots[index]?.id],
  });

describe('gateway_c, from the form to the money', () => {
  it('the form is signed and complete, and its order number is fit for the bank (Q21)', async () => {
    const pay = await take(await newGroup(api, 1), 0, 'form');
    expect(pay).toMatchObject({ psp_code: 'gateway_c', is_test_mode: true });
    expect(pay).not.toHaveProperty('client_secret');
    const { url, body } = pay.gateway_c_form ?? { url: '', body: {} };
    expect(url).toBe(`${shared.stack.sandbox}/gateway_c/sis/realizarPago`);
    expect(Object.keys(body).toSorted()).toEqual([
      'Ds_MerchantParameters',
      'Ds_Signature',
      'Ds_SignatureVersion',
    ]);
    const packed = Buffer.from(body['Ds_MerchantParameters'] ?? '', 'base64').toString();
    const parameters = JSON.parse(packed) as Record<string, string>;
    expect(parameters).toMatchObject({ DS_MERCHANT_AMOUNT: '1000', DS_MERCHANT_CURRENCY: '978' });
    expect(parameters['DS_MERCHANT_ORDER']).toMatch(/^[0-9]{4}[A-Za-z0-9]{8}$/);
  });

  it('two payers pay at their bank, one through 3-D Secure, and everything is captured', async () => {
    const group = await newGroup(api, 2);
    const payments = [
      await paySlot(shared.stack, api, group, 0, payer('frictionless')),
      await paySlot(shared.stack, api, group, 1, payer('challenged', '4548816131164386')),
    ];
    await api.becomes(group.group_payment.id, ['paid']);
    for (const pay of payments) {
      const booked = await booksShow(shared.stack, pay, 'captured');
      expect([effects(booked, 'authorise'), effects(booked, 'capture')]).toEqual([1, 1]);
    }
  });

  it('a decline frees the slot at once, and the next authorisation is another order (B8)', async () => {
    const group = await newGroup(api, 1);
    const first = await take(group, 0, 'retrying');
    await comeBack(await payAtBank(first, cards.declined));
    await api.slotBecomes(group.group_payment.id, 0, 'unassigned');
    const second = await take(group, 0, 'retrying');
    expect(second.payment_intent_id).not.toBe(first.payment_intent_id);
    expect(second.gateway_c_form?.body).not.toEqual(first.gateway_c_form?.body);
    await comeBack(await payAtBank(second, cards.approved));
    await api.becomes(group.group_payment.id, ['paid']);
  });

  it('a wrong code at the bank is a decline, never a hold', async () => {
    const group = await newGroup(api, 1);
    const pay = await take(group, 0, 'mistyping');
    await comeBack(await payAtBank(pay, '4548816131164386', '000000'));
    await api.slotBecomes(group.group_payment.id, 0, 'unassigned');
    const [booked] = await bookedPayments(shared.stack, 'gateway_c', pay.payment_intent_id);
    expect(booked?.status).toBe('declined');
  });
});

describe('gateway_c, from the hosted page', () => {
  it('a payer pays with the page’s own token, sees every step live, and returns to the state that the server knows', async () => {
    const group = await newGroup(api, 1);
    const { id } = group.group_payment;
    const { bootstrap } = await openPage(group.checkout_url);
    const { token } = bootstrap['session'] as { token: string };
    const checkout = new URL(group.checkout_url).origin;
    const slots = await followSlots(checkout, id, token);
    expect(await slots.until((_, event) => event === 'snapshot')).toMatchObject([
      { slots: [{ state: 'unassigned' }] },
    ]);

    const order = { customer_email: 'paige@payers.example' };
    const headers = { origin: checkout, 'idempotency-key': randomUUID() };
    const paid = await openRequests(shared.stack.api, token).post(
      `/v1/group-payments/${id}/pay`,
      order,
      headers,
    );
    expect(paid.headers.get('access-control-allow-origin')).toBe(checkout);
    const pay = paid.body as unknown as Pay;
    const bank = new URL(pay.gateway_c_form?.url ?? '').origin;
    expect(bootstrap['gateway']).toEqual({ psp_code: 'gateway_c', bank });
    const isAt = (state: string) => (data: Json) =>
      JSON.stringify(data['slots'] ?? []).includes(`"state":"${state}"`);
    const [reserved] = (await slots.until(isAt('assigned'))).slice(-1);
    expect(JSON.stringify(reserved)).not.toMatch(/paige|customer/);

    const back = await fetch((await payAtBank(pay, cards.approved)) ?? '', { redirect: 'manual' });
    const address = back.headers.get('location') ?? '';
    expect(address).toBe(`${group.checkout_url}?payment=${pay.payment_intent_id}`);
    await slots.until((data) => data['state'] === 'paid');
    expect(await slots.until((_, event) => event === 'end')).toEqual([{ reason: 'final' }]);
    expect((await openPage(address)).bootstrap).toMatchObject({
      group: { state: 'paid' },
      returned: { payment_intent_id: pay.payment_intent_id, status: 'captured' },
      session: { can_pay: false },
    });
  });
});

describe('gateway_c, when messages get lost', () => {
  it('a lost notification is replaced by the return of the browser (B6)', async () => {
    const group = await newGroup(api, 1, { metadata: { sandbox_fault: 'callback:lose:9' } });
    const address = await payAtBank(await take(group, 0, 'unheard'), cards.approved);
    const [slot] = (await api.findGroup(group.group_payment.id)).payment_slots;
    expect(slot?.state).toBe('assigned');
    // The fields that the browser carries are not needed for it: the gateway is queried in any case.
    await comeBack(address?.split('?')[0] ?? null);
    await api.becomes(group.group_payment.id, ['paid']);
  });

  it('a browser with forged parameters is refused and changes nothing (B5)', async () => {
    const group = await newGroup(api, 1, { metadata: { sandbox_fault: 'callback:lose:9' } });
    const address = new URL((await payAtBank(await take(group, 0, 'forger'), cards.declined)) ?? '');
    const packed = address.searchParams.get('Ds_MerchantParameters') ?? '';
    const altered = Buffer.from(packed, 'base64').toString().replace('"0190"', '"0000"');
    address.searchParams.set('Ds_MerchantParameters', Buffer.from(altered).toString('base64'));
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(400);
    const [slot] = (await api.findGroup(group.group_payment.id)).payment_slots;
    expect(slot?.state).toBe('assigned');
  });

  it('a hold that is notified after the group expired is cancelled at the bank (B7)', async () => {
    const { group, pay } = await beforeExpiry(3, async (expires_at, seconds) => {
      const metadata = { sandbox_fault: `callback:delay:${(seconds + 2) * 1_000}` };
      const group = await newGroup(api, 2, { metadata, expires_at });
      const pay = await take(group, 0, 'late');
      await payAtBank(pay, cards.approved);
      return { group, pay };
    });
    await api.becomes(group.group_payment.id, ['expired']);
    const booked = await booksShow(shared.stack, pay, 'voided');
    expect(effects(booked, 'capture')).toBe(0);
  });
});

it('a merchant who switches gateways has payments on both, and each is captured where it was held (B11)', async () => {
  const merchant = findMerchant(shared.stack, 'multi');
  const both = openApi(shared.stack, merchant);
  const group = await newGroup(both, 2);
  await switchGateway(shared.stack, merchant, 'gateway_c');
  const atBank = await paySlot(shared.stack, both, group, 0, payer('banker'));
  await switchGateway(shared.stack, merchant, 'gateway_a');
  const atCard = await paySlot(shared.stack, both, group, 1, payer('carder'));
  expect([atBank.psp_code, atCard.psp_code]).toEqual(['gateway_c', 'gateway_a']);
  await both.becomes(group.group_payment.id, ['paid']);
  await booksShow(shared.stack, atBank, 'captured');
  await booksShow(shared.stack, atCard, 'captured');
});

it('every promise of the ledger holds after all of this', async () => {
  expect(await brokenPromises(shared.stack)).toEqual([]);
});
