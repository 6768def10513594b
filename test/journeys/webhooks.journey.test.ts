import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually as becoming } from '@gp/testing';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import type { Group, Json, MerchantApi } from '../support/api.ts';
import { openEndpoint, type Delivery, type Endpoint } from '../support/endpoint.ts';
import { openApi, newGroup, payer, paySlot } from '../support/journey.ts';
import { authorise, cards } from '../support/payer.ts';
import { brokenPromises } from '../support/promises.ts';
import { expectError, openRequests, type Requests } from '../support/requests.ts';
import { openSharedStack, shortWaits, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant, type StackFile } from '../support/stack.ts';

const HOOKS = '/v1/webhooks';
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const { webhooks: verifier } = new Stripe('sk_unused');

let shared: SharedStack;
let stack: StackFile;
let api: MerchantApi;
let mine: Requests;
const endpoints: Endpoint[] = [];

beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_a', 'gateway_b'], settings: shortWaits });
  stack = shared.stack;
  const merchant = findMerchant(stack, 'gateway_b');
  api = openApi(stack, merchant);
  mine = openRequests(stack.api, merchant.test_key);
});
afterAll(async () => {
  for (const endpoint of endpoints) await endpoint.close();
  await shared?.close();
});

/** A receiver and its registration with the merchant. */
async function listening(o: Json = {}, http = mine, answer?: (nth: number) => number) {
  const endpoint = await openEndpoint(answer);
  endpoints.push(endpoint);
  const { status, body } = await http.post(HOOKS, { url: endpoint.url, ...o });
  expect(status).toBe(201);
  return { endpoint, id: String(body['id']), secret: String(body['secret']) };
}

/** Has a group paid by one payer a slot. */
async function paidGroup(slots: number, o: Json = {}): Promise<{ group: Group; payments: string[] }> {
  const group = await newGroup(api, slots, o);
  const payments: string[] = [];
  for (let index = 0; index < slots; index++)
    payments.push((await paySlot(stack, api, group, index, payer(`p${index}`))).payment_intent_id);
  await api.becomes(group.group_payment.id, ['paid']);
  return { group, payments };
}

const eventually = (isSo: () => Promise<boolean>) => becoming(async () => (await isSo()) || undefined);
const of = (endpoint: Endpoint, group: Group): Delivery[] =>
  endpoint.deliveries.filter(({ event }) => event.data['group_payment_id'] === group.group_payment.id);
const listTypes = (endpoint: Endpoint, group: Group) => of(endpoint, group).map(({ event }) => event.type);

describe('webhook endpoints', () => {
  it('a webhook endpoint shows its secret at creation and never again, and can be read, changed and deleted', async () => {
    const url = 'https://merchant.example/hooks';
    const created = await mine.post(HOOKS, { url, description: 'Till', event_types: ['group_payment.paid'] });
    const shown = {
      id: expect.any(String),
      url,
      description: 'Till',
      enabled: true,
      event_types: ['group_payment.paid'],
      created_at: expect.stringMatching(INSTANT),
      updated_at: expect.stringMatching(INSTANT),
    };
    expect(created.status).toBe(201);
    expect(created.body).toEqual({ ...shown, secret: expect.stringMatching(/^whsec_/) });
    const path = `${HOOKS}/${String(created.body['id'])}`;
    expect(await mine.get(path)).toMatchObject({ status: 200 });
    expect((await mine.get(path)).body).toEqual(shown);
    expect((await mine.get(HOOKS)).body['webhook_endpoints']).toContainEqual(shown);
    const change = {
      description: null,
      enabled: false,
      event_types: [],
      url: 'https://merchant.example/other',
    };
    const changed = await mine.patch(path, change);
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({ ...shown, ...change });
    const deleted = await mine.delete(path);
    expect({ status: deleted.status, body: deleted.body }).toEqual({
      status: 200,
      body: { id: created.body['id'], deleted: true },
    });
    expectError(await mine.get(path), 404, 'not_found', 'webhook endpoint not found');
    expectError(await mine.delete(path), 404, 'not_found', 'webhook endpoint not found');
  });

  it('a webhook endpoint is not listed in the other mode', async () => {
    const { id } = await listening();
    const live = openRequests(stack.api, findMerchant(stack, 'gateway_b').live_key);
    expect(JSON.stringify((await mine.get(HOOKS)).body)).toContain(id);
    expect((await live.get(HOOKS)).body).toEqual({ webhook_endpoints: [] });
  });

  it.each<[string, Json]>([
    ['an address without https', { url: 'http://merchant.example/hooks' }],
    ['no address', {}],
    ['no URL', { url: 'merchant' }],
    ['another scheme', { url: 'ftp://merchant.example' }],
    ['credentials in the address', { url: 'https://user:secret@merchant.example' }],
    ['an unknown event', { url: 'https://merchant.example', event_types: ['group_payment.eaten'] }],
    ['a description of 256 characters', { url: 'https://merchant.example', description: 'x'.repeat(256) }],
    ['a secret of their own', { url: 'https://merchant.example', secret: 'whsec_mine' }],
  ])('a webhook endpoint with %s is a 400', async (_fault, body) => {
    expectError(await mine.post(HOOKS, body), 400, 'validation_error');
  });

  it('a webhook endpoint refuses a change that changes nothing, or to values with which it could not be created (Q24)', async () => {
    const { id } = await listening();
    for (const change of [{}, { url: 'http://merchant.example' }, { enabled: 'no' }, { event_types: ['x'] }])
      expectError(await mine.patch(`${HOOKS}/${id}`, change), 400, 'validation_error');
  });
});

describe('events', () => {
  it('events report a payment in order, numbered without a gap, signed, with exactly the documented data (F18)', async () => {
    const { endpoint, secret } = await listening();
    const { group, payments } = await paidGroup(2, { metadata: { table: 12 } });
    await endpoint.accepted('group_payment.paid', group.group_payment.id);
    const got = of(endpoint, group);
    for (const { raw, headers, event } of got) {
      const signature = String(headers['service-signature']);
      expect(verifier.constructEvent(raw, signature, secret)).toEqual(event);
      expect(() => verifier.constructEvent(`${raw} `, signature, secret)).toThrow();
      expect(headers['service-event-id']).toBe(event.id);
      expect(headers['service-event-type']).toBe(event.type);
      expect(headers['content-type']).toMatch(/^application\/json/);
      expect(Object.keys(event).sort()).toEqual(['created', 'data', 'id', 'type']);
      expect(event.created).toMatch(INSTANT);
    }
    expect(got.map(({ event }) => event.data['sequence'])).toEqual(got.map((_, index) => index + 1));
    expect(got.slice(0, 2).map(({ event }) => event.type)).toEqual([
      'payment_intent.preauthorised',
      'payment_intent.preauthorised',
    ]);
    const common = {
      group_payment_id: group.group_payment.id,
      is_test_mode: true,
      sequence: expect.any(Number),
      occurred_at: expect.stringMatching(INSTANT),
      merchant_order_id: group.group_payment.merchant_order_id,
      client_reference: null,
      metadata: { table: 12 },
    };
    for (const state of ['preauthorised', 'captured'])
      for (const [index, payment_intent_id] of payments.entries())
        expect(
          got.filter(
            ({ event: { type, data } }) =>
              type === `payment_intent.${state}` && data['payment_intent_id'] === payment_intent_id,
          ),
        ).toEqual([
          expect.objectContaining({
            event: expect.objectContaining({
              data: {
                ...common,
                payment_intent_id,
                state,
                psp_code: 'gateway_b',
                amount: 10,
                currency: 'EUR',
                slot_ids: [group.payment_slots[index]?.id],
              },
            }),
          }),
        ]);
    expect(got.at(-1)?.event).toMatchObject({ type: 'group_payment.paid' });
    expect(got.at(-1)?.event.data).toEqual({
      ...common,
      state: 'paid',
      currency: 'EUR',
      amount_captured: 20,
      amount_refunded: 0,
    });
    expect(got.filter(({ event }) => event.type === 'group_payment.paid')).toHaveLength(1);
    expect(JSON.stringify(got.map(({ raw }) => raw))).not.toMatch(/payers\.example|Example/);
  });

  it('events never report a partly paid group when one payment covers all slots (G7)', async () => {
    const { endpoint } = await listening();
    const group = await newGroup(api, 3);
    const { id } = group.group_payment;
    const payment = await api.pay(id, { customer_email: 'all@payers.example' });
    await authorise(stack, api, id, payment, payer('all'));
    await endpoint.accepted('group_payment.paid', id);
    expect(listTypes(endpoint, group)).toEqual([
      'payment_intent.preauthorised',
      'payment_intent.captured',
      'group_payment.paid',
    ]);
  });

  it('an event reports a decline with its stage and reason (B8)', async () => {
    const { endpoint } = await listening();
    const group = await newGroup(api, 1);
    await paySlot(stack, api, group, 0, payer('poor', cards.declined)).catch(() => undefined);
    const { event } = await endpoint.accepted('payment_intent.failed', group.group_payment.id);
    expect(event.data).toMatchObject({
      state: 'failed',
      failure: { stage: 'authorise', code: 'card_declined', retryable: expect.any(Boolean) },
    });
    expect(Object.keys(event.data['failure'] as Json).sort()).toEqual([
      'code',
      'message',
      'retryable',
      'stage',
    ]);
  });

  it('events reach enabled test endpoints that subscribed to them, and no live, disabled or deleted one (Q18)', async () => {
    const live = openRequests(stack.api, findMerchant(stack, 'gateway_b').live_key);
    const others = openRequests(stack.api, findMerchant(stack, 'gateway_a').test_key);
    const all = await listening();
    const picky = await listening({ event_types: ['group_payment.paid'] });
    const silent = [await listening({}, live), await listening({}, others)];
    const disabled = await listening();
    await mine.patch(`${HOOKS}/${disabled.id}`, { enabled: false });
    const deleted = await listening();
    await mine.delete(`${HOOKS}/${deleted.id}`);
    const { group } = await paidGroup(1);
    const { id } = group.group_payment;
    await all.endpoint.accepted('group_payment.paid', id);
    await picky.endpoint.accepted('group_payment.paid', id);
    expect(listTypes(picky.endpoint, group)).toEqual(['group_payment.paid']);
    for (const { endpoint } of [...silent, disabled, deleted]) expect(endpoint.deliveries).toEqual([]);
  });

  it('an event is sent again to a failing receiver only, with the same bytes and id and a new signature', async () => {
    const healthy = await listening({ event_types: ['group_payment.paid'] });
    const shaky = await listening(
      { event_types: ['group_payment.paid'] },
      mine,
      (nth) => [500, 302][nth] ?? 200,
    );
    const { group } = await paidGroup(1);
    await shaky.endpoint.accepted('group_payment.paid', group.group_payment.id);
    await healthy.endpoint.accepted('group_payment.paid', group.group_payment.id);
    const tries = of(shaky.endpoint, group);
    expect(tries.map(({ status }) => status)).toEqual([500, 302, 200]);
    expect(new Set(tries.map(({ raw }) => raw)).size).toBe(1);
    expect(new Set(tries.map(({ headers }) => headers['service-event-id'])).size).toBe(1);
    for (const { raw, headers } of tries)
      verifier.constructEvent(raw, String(headers['service-signature']), shaky.secret);
    expect(of(healthy.endpoint, group)).toHaveLength(1);
  });

  it('an event is given up after the last retry, and the next event is still sent', async () => {
    const paid = { event_types: ['group_payment.paid'] };
    const deaf = await listening(paid, mine, (nth) => (nth < 4 ? 503 : 200));
    const { group: lost } = await paidGroup(1);
    const { group: next } = await (async () => {
      for (;;) {
        if (of(deaf.endpoint, lost).length === 4) return paidGroup(1);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    })();
    await deaf.endpoint.accepted('group_payment.paid', next.group_payment.id);
    expect(of(deaf.endpoint, lost).map(({ status }) => status)).toEqual([503, 503, 503, 503]);
  });
});

describe('an event that an endpoint missed', () => {
  const listDeliveries = async (id: string): Promise<Json[]> =>
    (await mine.get(`${HOOKS}/${id}/deliveries?limit=100`)).body['deliveries'] as Json[];

  it('an event is held while its endpoint is disabled, stays held when it is enabled, and is delivered by a recovery (F5)', async () => {
    const since = new Date().toISOString();
    const { endpoint, id } = await listening({ event_types: ['group_payment.paid'] });
    await mine.patch(`${HOOKS}/${id}`, { enabled: false });
    const { group } = await paidGroup(1);
    await eventually(async () => (await listDeliveries(id)).some(({ state }) => state === 'held'));
    expectError(await mine.post(`${HOOKS}/${id}/recover`, { since }), 409, 'conflict');
    await mine.patch(`${HOOKS}/${id}`, { enabled: true });
    expect(endpoint.deliveries).toEqual([]);
    const started = await mine.post(`${HOOKS}/${id}/recover`, { since });
    expect(started).toMatchObject({ status: 202, body: { status: 'running' } });
    await endpoint.accepted('group_payment.paid', group.group_payment.id);
    const path = `${HOOKS}/${id}/recoveries/${String(started.body['id'])}`;
    await eventually(async () => (await mine.get(path)).body['status'] === 'done');
    expect((await mine.get(path)).body).toMatchObject({ recovered: 1 });
  });

  it('an event can be read as it would have been sent, one by one and all, by its owner in its mode only (Q18)', async () => {
    const { endpoint } = await listening();
    const { group } = await paidGroup(1);
    await endpoint.accepted('group_payment.paid', group.group_payment.id);
    const query = `/v1/events?group_payment_id=${group.group_payment.id}`;
    const { body } = await mine.get(query);
    expect(body['events']).toEqual(
      of(endpoint, group)
        .map(({ event }) => event)
        .toReversed(),
    );
    const [event] = body['events'] as { id: string }[];
    expect((await mine.get(`/v1/events/${event?.id}`)).body).toEqual(event);
    const { live_key } = findMerchant(stack, 'gateway_b');
    for (const key of [live_key, findMerchant(stack, 'gateway_a').test_key]) {
      const other = openRequests(stack.api, key);
      expect((await other.get(query)).body['events']).toEqual([]);
      expectError(await other.get(`/v1/events/${event?.id}`), 404, 'not_found', 'event not found');
    }
  });

  it('a missed event is resent on demand, and a test event is marked as one, signed with the old and the new secret', async () => {
    const { endpoint, id, secret } = await listening({ event_types: ['group_payment.paid'] });
    const { group } = await paidGroup(1);
    await endpoint.accepted('group_payment.paid', group.group_payment.id);
    const rolled = await mine.post(`${HOOKS}/${id}/roll-secret`, { overlap_seconds: 3_600 });
    await eventually(async () => (await listDeliveries(id))[0]?.['state'] === 'delivered');
    const [delivery] = await listDeliveries(id);
    expect(await mine.post(`${HOOKS}/${id}/deliveries/${String(delivery?.['id'])}/resend`)).toMatchObject({
      status: 202,
      body: { state: 'delivered' },
    });
    await eventually(() => Promise.resolve(of(endpoint, group).length === 2));
    const tried = await mine.post(`${HOOKS}/${id}/test`, { event_type: 'payment_intent.failed' });
    expect(tried.status).toBe(201);
    await eventually(() => Promise.resolve(endpoint.deliveries.length === 3));
    const [, again, test] = endpoint.deliveries;
    for (const known of [secret, String(rolled.body['secret'])])
      for (const { raw, headers } of [again!, test!]) {
        verifier.constructEvent(raw, String(headers['service-signature']), known);
        new Webhook(known).verify(raw, headers as Record<string, string>);
      }
    expect(test!.headers['service-test-event']).toBe('true');
    expect(again!.headers['service-test-event']).toBeUndefined();
    expect(test!.event.data['is_test_event']).toBe(true);
    expectError(await mine.get(`/v1/events/${test!.event.id}`), 404, 'not_found', 'event not found');
  });
});

it('every promise of the ledger holds after all of this', async () => {
  expect(await brokenPromises(stack)).toEqual([]);
});
