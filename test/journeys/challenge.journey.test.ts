import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openApi, booksShow, effects, newGroup, payer } from '../support/journey.ts';
import type { Answer, Group, Json, MerchantApi, Pay } from '../support/api.ts';
import { bookedPayments } from '../support/books.ts';
import { comeBack, postPage } from '../support/forms.ts';
import { buildConfirmRequest, cards } from '../support/payer.ts';
import { brokenPromises } from '../support/promises.ts';
import { expectError, openRequests, type Requests } from '../support/requests.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant } from '../support/stack.ts';

let shared: SharedStack;
let api: MerchantApi;
let http: Requests;
beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_b'] });
  const merchant = findMerchant(shared.stack, 'gateway_b');
  api = openApi(shared.stack, merchant);
  http = openRequests(shared.stack.api, merchant.test_key);
});
afterAll(() => shared?.close());

type Begun = { readonly group: Group; readonly id: string; readonly pay: Pay; readonly home: string };

/** A group of one slot that a payer has taken; nothing was confirmed yet. */
async function begin(name: string, metadata: Json = {}): Promise<Begun> {
  const group = await newGroup(api, 1, { metadata });
  const { id } = group.group_payment;
  const pay = await api.pay(id, { customer_email: `${name}@payers.example` });
  return { group, id, pay, home: `${group.checkout_url}?payment=${pay.payment_intent_id}` };
}

const confirm = async (
  { id, pay }: Begun,
  o: Json = {},
  card: string = cards.authenticated,
): Promise<Answer> =>
  http.post(`/v1/group-payments/${id}/confirm`, {
    ...(await buildConfirmRequest(shared.stack, pay, payer('holder', card))),
    ...o,
  });

/** Confirms with a card that is challenged; returns the bank's page. */
async function challenge(begun: Begun): Promise<string> {
  const { status, body } = await confirm(begun, { return_url: begun.home });
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      status: 'requires_action',
      next_action: {
        type: 'redirect',
        url: expect.stringContaining(`${shared.stack.sandbox}/gateway_b/3ds/`),
      },
    },
  });
  return (body['next_action'] as { url: string }).url;
}

/** The payer answers the bank; returns where the bank sends the browser. */
const answer = async (page: string, result: 'authenticated' | 'failed'): Promise<string> =>
  String((await postPage(page, { result })).location);

/** The payer's browser comes back to the platform; returns where that sends it. */
async function arrive(address: string): Promise<string | null> {
  const response = await fetch(address, { redirect: 'manual' });
  return response.headers.get('location');
}

const findPayment = async ({ id }: Begun) => (await api.client.listPayments(id)).payments[0];

describe('a card that asks for 3-D Secure, confirmed with a return_url', () => {
  it('a payer who is authenticated at the bank comes back to the return_url, and the payment is held and captured once (Q51)', async () => {
    const begun = await begin('proven');
    const page = await challenge(begun);
    expect(await findPayment(begun)).toMatchObject({ state: 'processing', failure: null });
    const back = await answer(page, 'authenticated');
    expect(back).toContain('/returns/gateway_b/');
    expect(await arrive(back)).toBe(begun.home);
    await api.becomes(begun.id, ['paid']);
    const booked = await booksShow(shared.stack, begun.pay, 'captured');
    expect([effects(booked, 'authorise'), effects(booked, 'capture')]).toEqual([1, 1]);
    expect(await confirm(begun, { return_url: begun.home })).toMatchObject({
      status: 200,
      body: { status: 'preauthorised' },
    });
  });

  it('a confirm that is repeated while the bank waits names the same page and makes no second payment (Q51, Q13)', async () => {
    const begun = await begin('twice');
    const page = await challenge(begun);
    expect(await challenge(begun)).toBe(page);
    await answer(page, 'authenticated');
    await api.becomes(begun.id, ['paid']);
    expect(await bookedPayments(shared.stack, 'gateway_b', begun.pay.payment_intent_id)).toHaveLength(1);
  });

  it('a payer who fails at the bank frees the slot with a reason, and pays with another card (Q51, B8)', async () => {
    const begun = await begin('stranger');
    const back = await answer(await challenge(begun), 'failed');
    expect(await arrive(back)).toBe(begun.home);
    await api.slotBecomes(begun.id, 0, 'unassigned');
    expect(await findPayment(begun)).toMatchObject({
      state: 'failed',
      failure: { code: 'authentication_required', message: 'the card holder was not authenticated' },
    });
    expect((await confirm(begun, { return_url: begun.home }, cards.approved)).body).toEqual({
      status: 'preauthorised',
    });
    await api.becomes(begun.id, ['paid']);
  });

  it('the return of the payer finds the hold whose callback was lost (Q51, B6)', async () => {
    const begun = await begin('unheard', { sandbox_fault: 'callback:lose:9' });
    const back = await answer(await challenge(begun), 'authenticated');
    expect(await findPayment(begun)).toMatchObject({ state: 'processing', failure: null });
    await comeBack(back);
    await api.becomes(begun.id, ['paid']);
  });

  it('a card without 3-D Secure is held at once, and a card is refused as before without a return_url', async () => {
    const easy = await begin('easy');
    expect((await confirm(easy, { return_url: easy.home }, cards.approved)).body).toEqual({
      status: 'preauthorised',
    });
    const refused = await begin('refused');
    expectError(await confirm(refused), 400, 'authentication_required');
    await api.slotBecomes(refused.id, 0, 'unassigned');
  });

  it.each([
    'https://evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://127.0.0.1/',
    'http://127.0.0.1:1/',
  ])('the return_url %s is refused before anything is sent to the gateway (Q51)', async (return_url) => {
    const begun = await begin('lured');
    const refusal = await confirm(begun, { return_url });
    expectError(refusal, 400, 'validation_error');
    expect(refusal.body).toMatchObject({ param: 'return_url' });
    expect(await bookedPayments(shared.stack, 'gateway_b', begun.pay.payment_intent_id)).toEqual([]);
  });

  it('a payer who never comes back loses the slots with the reservation, and the bank takes no answer any more (Q51, A6)', async () => {
    const begun = await begin('gone');
    const page = await challenge(begun);
    await api.advanceClock(14 * 60);
    expect((await api.findGroup(begun.id)).payment_slots[0]?.state).toBe('assigned');
    await api.advanceClock(2 * 60);
    await api.slotBecomes(begun.id, 0, 'unassigned');
    expect(await findPayment(begun)).toMatchObject({ failure: { code: 'reservation_expired' } });
    const [booked] = await bookedPayments(shared.stack, 'gateway_b', begun.pay.payment_intent_id);
    expect([booked?.status, Number(booked?.authorised_minor)]).toEqual(['voided', 0]);
    expect((await fetch(page)).status).toBe(410);
  }, 120_000);
});

it('every promise of the ledger holds after all challenges', async () => {
  expect(await brokenPromises(shared.stack)).toEqual([]);
});
