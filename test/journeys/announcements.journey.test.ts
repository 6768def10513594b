import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import Stripe from 'stripe';
import { send, type Group, type Json, type MerchantApi } from '../support/api.ts';
import { openEndpoint, type Delivery, type Endpoint } from '../support/endpoint.ts';
import { booksShow, newGroup, openApi, payer, paySlot } from '../support/journey.ts';
import { operator } from '../support/operator.ts';
import { openRequests } from '../support/requests.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant, type StackFile } from '../support/stack.ts';

const { webhooks: verifier } = new Stripe('sk_unused');
const GATEWAYS = ['gateway_a', 'gateway_b'] as const;
const HOUR_S = 3_600;
/** How a gateway refuses a capture for good: at once, or after it had accepted. */
const REFUSAL = { gateway_a: 'capture:decline:9', gateway_b: 'capture:async_failed:9' } as const;

/** A merchant, an endpoint of it that named no types, and one that named a type of before. */
type Shop = {
  readonly api: MerchantApi;
  readonly endpoint: Endpoint;
  readonly secret: string;
  readonly picky: Endpoint;
};

let shared: SharedStack;
let stack: StackFile;
const shops = new Map<string, Shop>();

beforeAll(async () => {
  shared = await openSharedStack({ merchants: GATEWAYS });
  stack = shared.stack;
  for (const gateway of GATEWAYS) shops.set(gateway, await openShop(gateway));
});
afterAll(async () => {
  for (const { endpoint, picky } of shops.values()) {
    await endpoint.close();
    await picky.close();
  }
  await shared?.close();
});

async function openShop(gateway: string): Promise<Shop> {
  const merchant = findMerchant(stack, gateway);
  const http = openRequests(stack.api, merchant.test_key);
  const [endpoint, picky] = [await openEndpoint(), await openEndpoint()];
  const { body } = await http.post('/v1/webhooks', { url: endpoint.url, event_types: [] });
  await http.post('/v1/webhooks', { url: picky.url, event_types: ['payment_intent.preauthorised'] });
  return { api: openApi(stack, merchant), endpoint, secret: String(body['secret']), picky };
}

function findShop(gateway: string): Shop {
  const shop = shops.get(gateway);
  if (!shop) throw new Error(`no shop for ${gateway}`);
  return shop;
}

const getId = (group: Group) => group.group_payment.id;

/** Events of a group by type, each once, in the order of their sequence. */
function listTypes(endpoint: Endpoint, group: Group): readonly string[] {
  const events = endpoint.deliveries
    .map(({ event }) => event)
    .filter(({ data }) => data['group_payment_id'] === getId(group));
  return [...new Map(events.map((event) => [event.id, event])).values()]
    .toSorted((a, b) => Number(a.data['sequence']) - Number(b.data['sequence']))
    .map(({ type }) => type);
}

/** Waits for an event of a group and checks its signature; returns its data. */
async function hear({ endpoint, secret }: Shop, type: string, group: Group): Promise<Json> {
  const { raw, headers, event }: Delivery = await endpoint.accepted(type, getId(group), 60_000);
  expect(verifier.constructEvent(raw, String(headers['service-signature']), secret)).toEqual(event);
  return event.data;
}

/** The endpoint that named a type got that one only, before and after what the group has come to. */
async function expectSubscriptionKept({ picky, endpoint }: Shop, group: Group, holds: number) {
  await eventually(() => listTypes(picky, group).length >= holds || undefined);
  expect(listTypes(picky, group)).toEqual(Array(holds).fill('payment_intent.preauthorised'));
  expect(listTypes(endpoint, group).length).toBeGreaterThan(holds);
}

/** A group of two slots of which one is held. */
async function halfHeld(shop: Shop, o: Json = {}) {
  const group = await newGroup(shop.api, 2, o);
  const pay = await paySlot(stack, shop.api, group, 0, payer('first'));
  await shop.api.becomes(getId(group), ['partially_preauthorised']);
  return { group, pay };
}

const HELD = 'payment_intent.preauthorised';
const money = { currency: 'EUR', amount_captured: 0, amount_refunded: 0 };

describe.each(GATEWAYS)('on %s', (gateway) => {
  it('a group that is cancelled announces its end, and the payment as released (F15, F16)', async () => {
    const shop = findShop(gateway);
    const { group } = await halfHeld(shop);
    await operator(stack, 'group', 'cancel', '--group', getId(group));
    expect(await hear(shop, 'group_payment.cancelled', group)).toMatchObject({
      state: 'cancelled',
      ...money,
    });
    await hear(shop, 'payment_intent.released', group);
    expect(listTypes(shop.endpoint, group)).toEqual([
      HELD,
      'group_payment.cancelled',
      'payment_intent.released',
    ]);
    await expectSubscriptionKept(shop, group, 1);
  });

  it('a group whose captures are refused announces that, and its holds as released when they are given up (F15, F16)', async () => {
    const shop = findShop(gateway);
    const group = await newGroup(shop.api, 2, { metadata: { sandbox_fault: REFUSAL[gateway] } });
    for (const place of [0, 1]) await paySlot(stack, shop.api, group, place, payer(`p${place}`));
    expect(await hear(shop, 'group_payment.capture_failed', group)).toMatchObject({
      state: 'capture_failed',
      ...money,
    });
    await operator(stack, 'captures', 'give-up', '--group', getId(group));
    const released = 'payment_intent.released';
    await eventually(
      () => listTypes(shop.endpoint, group).filter((type) => type === released).length === 2 || undefined,
    );
    expect(await hear(shop, released, group)).toMatchObject({ state: 'capture_failed' });
    expect(listTypes(shop.endpoint, group)).toEqual([
      HELD,
      HELD,
      'payment_intent.failed',
      'payment_intent.failed',
      'group_payment.capture_failed',
      released,
      released,
    ]);
    await expectSubscriptionKept(shop, group, 2);
  });

  it('a dispute of a captured payment is announced, and its end, after which the payment is refunded (F17, E11)', async () => {
    const shop = findShop(gateway);
    const group = await newGroup(shop.api, 1);
    const pay = await paySlot(stack, shop.api, group, 0, payer('displeased'));
    await hear(shop, 'group_payment.paid', group);
    const { psp_reference } = await booksShow(stack, pay, 'captured');
    const url = `${stack.sandbox}/control/payments/${psp_reference}/external`;
    const about = { payment_intent_id: pay.payment_intent_id, state: 'captured', amount: 10 };
    for (const [action, event] of [
      ['dispute', 'payment_intent.disputed'],
      ['win_dispute', 'payment_intent.dispute_closed'],
    ] as const) {
      expect((await send('POST', url, { action })).status).toBeLessThan(300);
      expect(await hear(shop, event, group)).toMatchObject(about);
    }
    expect(await shop.api.client.refundGroupPayment(group.group_payment.id)).toMatchObject({
      group_state: 'refunded',
    });
    await hear(shop, 'group_payment.refunded', group);
    expect(listTypes(shop.endpoint, group)).toEqual([
      HELD,
      'payment_intent.captured',
      'group_payment.paid',
      'payment_intent.disputed',
      'payment_intent.dispute_closed',
      'payment_intent.refunded',
      'group_payment.refunded',
    ]);
  });

  // These are the last two: they move the merchant's clock.
  it('a group that expires with a hold announces its end, and the payment as released (F15, F16)', async () => {
    const shop = findShop(gateway);
    const { group, pay } = await halfHeld(shop);
    await shop.api.advanceClock(2 * HOUR_S);
    expect(await hear(shop, 'group_payment.expired', group)).toMatchObject({ state: 'expired', ...money });
    expect(await hear(shop, 'payment_intent.released', group)).toMatchObject({
      payment_intent_id: pay.payment_intent_id,
      state: 'voided',
      psp_code: gateway,
      amount: 10,
      slot_ids: pay.slot_ids,
    });
    expect(listTypes(shop.endpoint, group)).toEqual([
      HELD,
      'group_payment.expired',
      'payment_intent.released',
    ]);
    await expectSubscriptionKept(shop, group, 1);
  });

  it('a group whose minimum is reached announces what it captured when its time ran out, and no end without a charge (Q90)', async () => {
    const shop = findShop(gateway);
    const expires_at = new Date(Date.now() + 5 * HOUR_S * 1_000).toISOString();
    const { group, pay } = await halfHeld(shop, { expires_at, capture_at_expiry: { minimum_amount: 10 } });
    await shop.api.advanceClock(4 * HOUR_S);
    const taken = { state: 'partially_paid', currency: 'EUR', amount_captured: 10, amount_refunded: 0 };
    expect(await hear(shop, 'group_payment.partially_paid', group)).toMatchObject(taken);
    expect(listTypes(shop.endpoint, group)).toEqual([
      HELD,
      'payment_intent.captured',
      'group_payment.partially_paid',
    ]);
    expect(Number((await booksShow(stack, pay, 'captured')).captured_minor)).toBe(1_000);
    const { payment_slots } = await shop.api.client.getGroupPayment(getId(group));
    expect(payment_slots.map(({ state }) => state)).toEqual(['captured', 'expired']);
    const late = { customer_email: 'late@payers.example' };
    await expect(shop.api.client.payGroupPayment(getId(group), late)).rejects.toMatchObject({
      status: 409,
      code: 'group_expired',
    });
    expect(await shop.api.client.refundGroupPayment(getId(group))).toMatchObject({ group_state: 'refunded' });
    await expectSubscriptionKept(shop, group, 1);
  });
});
