import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, TimeoutError } from '@gp/testing';
import { becomesReady } from '../crash/becomes-ready.ts';
import { merchantApi, send, type Answer, type Group, type MerchantApi } from '../support/api.ts';
import { bookedPayments } from '../support/books.ts';
import { openEndpoint, openSilentEndpoint, type Delivery, type Endpoint } from '../support/endpoint.ts';
import { openApi, effects, inSeconds, newGroup, payer, paySlot } from '../support/journey.ts';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { brokenPromises } from '../support/promises.ts';
import { expectError, openRequests, type Requests } from '../support/requests.ts';
import { findMerchant, type Merchant, type StackFile } from '../support/stack.ts';

const CLOCK = '/v1/test/clock';
const minutes = (n: number) => n * 60;
const hours = (n: number) => n * 3_600;
const days = (n: number) => n * 86_400;

let own: OwnStack;
let stack: StackFile;
const endpoints: Endpoint[] = [];

type Traveller = { readonly merchant: Merchant; readonly api: MerchantApi; readonly http: Requests };
const traveller = (gateway: string): Traveller => {
  const merchant = findMerchant(stack, gateway);
  return { merchant, api: openApi(stack, merchant), http: openRequests(stack.api, merchant.test_key) };
};

beforeAll(async () => {
  own = await openOwnStack();
  stack = own.stack;
});
afterAll(async () => {
  for (const endpoint of endpoints) await endpoint.close();
  await own?.close();
});

/** Goes forward and comes back when all that fell due is done, however many requests that takes. */
const advance = ({ api }: Traveller, seconds: number) => api.advanceClock(seconds);

const slotStates = (group: Group) => group.payment_slots.map(({ state }) => state);
const readAheadSeconds = async ({ http }: Traveller) => (await http.get(CLOCK)).body['ahead_seconds'];
const statusInBooks = async (gateway: string, intentId: string) =>
  (await bookedPayments(stack, gateway, intentId)).map(({ status }) => status);

describe('the test clock of one merchant', () => {
  let bystander: { group: Group; live: Group };
  beforeAll(async () => {
    const { api, merchant } = traveller('gateway_b');
    const group = await newGroup(api, 2);
    await paySlot(stack, api, group, 0, payer('bystander'));
    const liveKey = findMerchant(stack, 'gateway_a').live_key;
    const live = await newGroup(merchantApi(stack.api, liveKey), 1);
    expect(merchant.merchant_id).not.toBe(findMerchant(stack, 'gateway_a').merchant_id);
    bystander = { group, live };
  });

  it('a test clock shows the real time until it is advanced', async () => {
    const { status, body } = await traveller('gateway_a').http.get(CLOCK);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        now: expect.stringMatching(/Z$/),
        ahead_seconds: 0,
        remaining_seconds: 0,
        state: 'settled',
      },
    });
    expect(Math.abs(Date.parse(String(body['now'])) - Date.now())).toBeLessThan(10_000);
  });

  it('a group whose test clock is advanced past its expiry expires and its hold is released before the clock settles (C1, C3)', async () => {
    const me = traveller('gateway_a');
    const group = await newGroup(me.api, 2);
    const pay = await paySlot(stack, me.api, group, 0, payer('early'));
    await me.api.becomes(group.group_payment.id, ['partially_preauthorised']);
    expect(await advance(me, hours(1))).toMatchObject({
      ahead_seconds: 3_600,
      remaining_seconds: 0,
      state: 'settled',
    });
    const ended = await me.api.findGroup(group.group_payment.id);
    expect([ended.group_payment.state, ...slotStates(ended)]).toEqual(['expired', 'expired', 'expired']);
    expect(await statusInBooks('gateway_a', pay.payment_intent_id)).toEqual(['voided']);
  });

  it('slots that are reserved and not paid are free again after 15 minutes and not before (A6)', async () => {
    const me = traveller('gateway_a');
    const group = await createAhead(me, 1, hours(2));
    const { id } = group.group_payment;
    await me.api.pay(id, { customer_email: 'idle@payers.example' });
    await advance(me, minutes(14));
    expect(slotStates(await me.api.findGroup(id))).toEqual(['assigned']);
    await advance(me, minutes(2));
    expect(slotStates(await me.api.findGroup(id))).toEqual(['unassigned']);
  });

  it('expires_at is validated and created_at returned by the time of the test clock, which a refusal names (Q27, Q33)', async () => {
    const me = traveller('gateway_a');
    await advance(me, days(8));
    const body = (expires_at: string) => ({
      group_name: 'Late',
      total_amount: 10,
      currency: 'EUR',
      expires_at,
      distribution: { type: 'equally', number_of_slots: 1 },
    });
    const create = (expires_at: string) => me.http.post('/v1/group-payments', body(expires_at));
    const refused = await create(inSeconds(hours(1)));
    expectError(
      refused,
      400,
      'validation_error',
      'Validation error: expires_at: expiry must be in the future',
    );
    expect(refused.body['hint']).toMatch(/^your test clock is \d+ seconds ahead: its time is /);
    const ahead = Number(await readAheadSeconds(me));
    expectError(
      await create(inSeconds(ahead + days(7) + minutes(5))),
      400,
      'validation_error',
      'Validation error: expires_at: expiry cannot be more than 7 days in the future',
    );
    const created = await create(inSeconds(ahead + days(7) - minutes(5)));
    expect(created.status).toBe(201);
    const { created_at } = (created.body as unknown as { group_payment: { created_at: string } })
      .group_payment;
    expect(Date.parse(created_at) - Date.now()).toBeGreaterThan((ahead - 60) * 1_000);
  });

  it('a test clock does not change the time of other merchants and of live mode (S9)', async () => {
    const other = traveller('gateway_b');
    expect(await readAheadSeconds(other)).toBe(0);
    const { group_payment } = await other.api.findGroup(bystander.group.group_payment.id);
    expect(group_payment.state).toBe('partially_preauthorised');
    const liveApi = merchantApi(stack.api, findMerchant(stack, 'gateway_a').live_key);
    const live = await liveApi.findGroup(bystander.live.group_payment.id);
    expect(live.group_payment.state).toBe('open');
    const fresh = await newGroup(liveApi, 1);
    expect(fresh.group_payment.state).toBe('open');
  });

  it('a test clock that is reset returns to the real time, and keeps what was retried', async () => {
    const me = traveller('gateway_a');
    expect(await me.http.post(`${CLOCK}/reset`)).toMatchObject({ status: 200, body: { state: 'advancing' } });
    await settles(me);
    expect(await readAheadSeconds(me)).toBe(0);
    const group = await newGroup(me.api, 1);
    await paySlot(stack, me.api, group, 0, payer('today'));
    await me.api.becomes(group.group_payment.id, ['paid']);
  });
});

/** A group that lives so long from the merchant's own time on. */
async function createAhead(
  me: Traveller,
  slots: number,
  seconds: number,
  o: Record<string, unknown> = {},
): Promise<Group> {
  return newGroup(me.api, slots, {
    expires_at: inSeconds(Number(await readAheadSeconds(me)) + seconds),
    ...o,
  });
}

describe.each(['gateway_a', 'gateway_b'])('time on %s', (gateway) => {
  it('a hold that is about to lapse while the group still collects is released (C4)', async () => {
    const me = traveller(gateway);
    const endpoint = await listening(me);
    const group = await createAhead(me, 2, days(7) - minutes(5));
    const { id } = group.group_payment;
    const pay = await paySlot(stack, me.api, group, 0, payer('early'));
    await me.api.becomes(id, ['partially_preauthorised']);
    await advance(me, days(6) + hours(21));
    expect(slotStates(await me.api.findGroup(id))).toEqual(['preauthorised', 'unassigned']);
    await advance(me, hours(1) + minutes(5));
    const { group_payment, payment_slots } = await me.api.findGroup(id);
    expect(group_payment.state).toBe('open');
    expect(payment_slots.map(({ state }) => state)).toEqual(['unassigned', 'unassigned']);
    expect(await statusInBooks(gateway, pay.payment_intent_id)).toEqual(['voided']);
    const failed = endpoint.deliveries.filter(({ event }) => event.type === 'payment_intent.failed');
    expect(failed.map(({ event }) => event.data['failure'])).toMatchObject([
      { code: 'authorization_expiring' },
    ]);
    await advance(me, hours(2));
    expect((await me.api.findGroup(id)).group_payment.state).toBe('expired');
  });

  it('the void of a hold that cannot be released at the gateway ends after seven days (C3)', async () => {
    const me = traveller(gateway);
    const metadata = { sandbox_fault: 'void:rate_limit:200' };
    const group = await createAhead(me, 2, hours(1), { metadata });
    const pay = await paySlot(stack, me.api, group, 0, payer('stuck'));
    await me.api.becomes(group.group_payment.id, ['partially_preauthorised']);
    await advance(me, hours(2));
    expect((await me.api.findGroup(group.group_payment.id)).group_payment.state).toBe('expired');
    expect(await statusInBooks(gateway, pay.payment_intent_id)).toEqual(['authorised']);
    await advance(me, days(7));
    expect(await statusInBooks(gateway, pay.payment_intent_id)).toEqual(['expired']);
  }, 150_000);

  it('failed captures are retried on their schedule until the gateway recovers (D2)', async () => {
    const me = traveller(gateway);
    const metadata = { sandbox_fault: 'capture:rate_limit:5' };
    const group = await createAhead(me, 1, hours(6), { metadata });
    const { id } = group.group_payment;
    const pay = await paySlot(stack, me.api, group, 0, payer('patient'));
    await me.api.becomes(id, ['capturing']);
    await advance(me, minutes(14));
    expect((await me.api.findGroup(id)).group_payment.state).toBe('capturing');
    await advance(me, hours(1));
    expect((await me.api.findGroup(id)).group_payment.state).toBe('paid');
    const [booked] = await bookedPayments(stack, gateway, pay.payment_intent_id);
    expect(booked && effects(booked, 'capture')).toBe(1);
    expect(booked?.status).toBe('captured');
  });
});

async function listening({ http }: Traveller, answer?: (nth: number) => number): Promise<Endpoint> {
  const endpoint = await openEndpoint(answer);
  endpoints.push(endpoint);
  expect((await http.post('/v1/webhooks', { url: endpoint.url })).status).toBe(201);
  return endpoint;
}

describe('webhooks', () => {
  const signedAt = ({ headers }: Delivery) =>
    Number(/t=(\d+)/.exec(String(headers['service-signature']))?.[1]);

  it('a webhook is sent 7 times over 17 h 36 min and then no more, each time signed by the real clock (Q10)', async () => {
    const me = traveller('multi');
    const endpoint = await listening(me, () => 500);
    const startedAt = Math.floor(Date.now() / 1_000);
    const group = await newGroup(me.api, 1);
    await paySlot(stack, me.api, group, 0, payer('loud'));
    await me.api.becomes(group.group_payment.id, ['paid']);
    const counts = () => [
      ...Map.groupBy(endpoint.deliveries, ({ event }) => event.id)
        .values()
        .map(({ length }) => length),
    ];
    await advance(me, 30);
    const events = counts().length;
    expect(counts()).toEqual(Array(events).fill(1));
    await advance(me, minutes(7));
    expect(counts()).toEqual(Array(events).fill(3));
    await advance(me, hours(20));
    expect(counts()).toEqual(Array(events).fill(7));
    await advance(me, days(2));
    expect(counts()).toEqual(Array(events).fill(7));
    const now = Math.ceil(Date.now() / 1_000);
    for (const delivery of endpoint.deliveries) {
      expect(signedAt(delivery)).toBeGreaterThanOrEqual(startedAt);
      expect(signedAt(delivery)).toBeLessThanOrEqual(now);
    }
  });
});

describe('endpoints that do not answer', () => {
  it('a refused and a hanging one do not hold the clock, and an advance is answered before it is done (F12)', async () => {
    const me = traveller('gateway_b');
    const silent = await openSilentEndpoint();
    const hooks: string[] = [];
    try {
      for (const url of [`http://127.0.0.1:${await freePort()}/`, silent.url])
        hooks.push((await me.api.createWebhook(url)).id);
      for (const nth of [1, 2, 3, 4, 5, 6, 7, 8]) {
        const group = await createAhead(me, 1, hours(2));
        await paySlot(stack, me.api, group, 0, payer(`unheard-${nth}`));
        await me.api.becomes(group.group_payment.id, ['paid']);
      }
      const startedAt = performance.now();
      const asked = await me.http.post(`${CLOCK}/advance`, { seconds: hours(24) });
      const answeredMs = performance.now() - startedAt;
      expect(asked).toMatchObject({ status: 200, body: { state: 'advancing' } });
      await settles(me);
      const settledMs = performance.now() - startedAt;
      expect(answeredMs).toBeLessThan(2_000);
      expect(settledMs).toBeLessThan(30_000);
    } finally {
      for (const id of hooks) await me.api.client.deleteWebhook(id);
      await silent.close();
    }
  }, 120_000);
});

async function settles({ http }: Traveller): Promise<void> {
  for (let state: unknown; state !== 'settled'; await delay(50))
    state = (await http.get(CLOCK)).body['state'];
}

describe('a scheduler that dies on the way', () => {
  const deaths = [
    'scheduler.clock-advance.before',
    'scheduler.clock-advance.after',
    'scheduler.clock-move.before',
    'scheduler.clock-move.after',
    'scheduler.clock-release.before',
    'scheduler.clock-release.after',
  ];

  it('a scheduler that is killed on the way leaves a clock from which the next one continues, and nothing happens twice', async () => {
    const me = traveller('gateway_b');
    const group = await createAhead(me, 2, days(2));
    const pay = await paySlot(stack, me.api, group, 0, payer('survivor'));
    await me.api.becomes(group.group_payment.id, ['partially_preauthorised']);
    const before = Number(await readAheadSeconds(me));
    const died = join(own.dataDir, 'died-travelling');
    const scheduler = own.opened.processes.get('scheduler');
    await scheduler?.stop();
    await scheduler?.start({ GP_FAIL_POINT: deaths.join(), GP_FAIL_POINT_ONCE_FILE: died });
    await becomesReady(stack, 'scheduler');
    const key = { 'idempotency-key': randomUUID() };
    const ask = () => me.http.post(`${CLOCK}/advance`, { seconds: days(3) }, key);
    const asked = untilAnswered(ask);
    for (const giveUpAt = Date.now() + 120_000; !deaths.every((point) => existsSync(`${died}-${point}`));) {
      if (Date.now() > giveUpAt) throw new TimeoutError('the scheduler was not at every one of its points');
      await delay(100);
    }
    // The request outlives the process that received it, and counts once wherever that process died and however often it
    // was sent.
    expect(await asked).toMatchObject({ status: 200 });
    await settles(me);
    expect(await readAheadSeconds(me)).toBe(before + days(3));
    expect((await ask()).body).toEqual((await asked).body);
    expect(await readAheadSeconds(me)).toBe(before + days(3));
    expect((await me.api.findGroup(group.group_payment.id)).group_payment.state).toBe('expired');
    const [booked] = await bookedPayments(stack, 'gateway_b', pay.payment_intent_id);
    expect(booked?.status).toBe('voided');
  }, 180_000);
});

/** As a client that repeats: six starts of a process may take longer than one question is kept waiting. */
async function untilAnswered(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status < 500 && answer.body['code'] !== 'idempotency_key_in_use') return answer;
    expect(['service_unavailable', 'deadline_exceeded', 'idempotency_key_in_use']).toContain(
      answer.body['code'],
    );
    await delay(200);
  }
}

describe('refuses', () => {
  it.each(['GET /', 'POST /advance', 'POST /reset'])(
    'a live key gets an error for %s: live mode has no test clock',
    async (route) => {
      const [method = '', path = ''] = route.split(' ');
      const live = { authorization: `Bearer ${findMerchant(stack, 'gateway_a').live_key}` };
      const body = path === '/advance' ? { seconds: 60 } : undefined;
      const answer = await send(method, `${stack.api}${CLOCK}${path === '/' ? '' : path}`, body, live);
      expectError(answer, 403, 'insufficient_scope', 'the test clock is for test keys');
    },
  );

  it.each([
    {},
    { seconds: 0 },
    { seconds: -5 },
    { seconds: 1.5 },
    { seconds: '60' },
    { seconds: 2_592_001 },
    { seconds: 60, x: 1 },
  ])('an advance with %j is a 400', async (body) =>
    expectError(await traveller('gateway_a').http.post(`${CLOCK}/advance`, body), 400, 'validation_error'),
  );
});

it('every promise of the ledger holds after all of this', async () => {
  expect(await brokenPromises(stack)).toEqual([]);
});
