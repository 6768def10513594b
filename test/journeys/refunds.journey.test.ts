import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { findManifest, pspCodes, type PspCode } from '@gp/gateway-registry';
import { eventually, TimeoutError } from '@gp/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { send, type Answer, type Group, type MerchantApi, type Pay } from '../support/api.ts';
import { bookedPayments } from '../support/books.ts';
import { openEndpoint, type Endpoint } from '../support/endpoint.ts';
import { openApi, booksShow, effects, newGroup, payer } from '../support/journey.ts';
import { askLedger } from '../support/ledger.ts';
import { authorise, cards } from '../support/payer.ts';
import { startProcess, stopProcess } from '../support/processes.ts';
import { brokenPromises } from '../support/promises.ts';
import { refund, type RefundBody } from '../support/refund.ts';
import { expectError, openRequests, type Requests } from '../support/requests.ts';
import { openSharedStack, shortWaits, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant } from '../support/stack.ts';
import { switchGateway } from '../support/switch-gateway.ts';

/** A merchant of the stack, and where its webhooks arrive. */
type Shop = { readonly api: MerchantApi; readonly http: Requests; readonly endpoint: Endpoint };
type Bill = {
  readonly shop: Shop;
  readonly group: Group;
  readonly id: string;
  readonly pays: readonly Pay[];
};

/** The gateways whose interface refunds. */
const GATEWAYS = pspCodes.filter((code) => findManifest(code).ledger.isRefundable);
const UNKNOWN = 'outcome unknown, being verified';
/** The gateway refunded and did not say so; it did not refund and did not say so either. */
const UNSEEN = ['refund:drop_response', 'refund:http_500_after_effect'];
const UNDONE = ['refund:http_500', 'refund:drop_request'];
/** How a gateway refuses for good: at once, or after it had accepted. */
const chooseRefusal = (gateway: PspCode) =>
  findManifest(gateway).flow === 'server_confirm' ? 'refund:async_failed' : 'refund:decline';

let shared: SharedStack;
const shops = new Map<string, Shop>();
/** Refunds that mostly wait for the next try, begun at once. */
const ends = new Map<string, Promise<{ of: Bill; answer: Answer<RefundBody> }>>();

beforeAll(async () => {
  const merchants = [...GATEWAYS, 'multi'];
  shared = await openSharedStack({ merchants, settings: shortWaits });
  for (const gateway of merchants) shops.set(gateway, await openShop(gateway));
  for (const gateway of GATEWAYS)
    for (const doubt of [...UNSEEN, ...UNDONE])
      begin(`${gateway} ${doubt}`, () => refundInDoubt(gateway, doubt));
});
afterAll(async () => {
  await Promise.allSettled(ends.values());
  for (const { endpoint } of shops.values()) await endpoint.close();
  await shared?.close();
});

function begin(story: string, run: () => Promise<{ of: Bill; answer: Answer<RefundBody> }>): void {
  const end = run();
  // Each is awaited by its own test; a failure before that must not end the file.
  end.catch(() => undefined);
  ends.set(story, end);
}
const waitForEnd = (story: string) => ends.get(story) ?? Promise.reject(new Error('not begun'));

const rows = (doubts: readonly string[]): [PspCode, string][] =>
  GATEWAYS.flatMap((gateway) => doubts.map((doubt): [PspCode, string] => [gateway, doubt]));

async function refundInDoubt(gateway: PspCode, doubt: string) {
  const of = await paid(findShop(gateway), [{ fault: doubt }]);
  return { of, answer: await refund(of.shop.http, of.id) };
}

async function openShop(gateway: string): Promise<Shop> {
  const merchant = findMerchant(shared.stack, gateway);
  const [api, http, endpoint] = [
    openApi(shared.stack, merchant),
    openRequests(shared.stack.api, merchant.test_key),
    await openEndpoint(),
  ];
  await api.createWebhook(endpoint.url);
  return { api, http, endpoint };
}

const findShop = (gateway: string): Shop => {
  const shop = shops.get(gateway);
  if (!shop) throw new Error(`no shop for ${gateway}`);
  return shop;
};

/** One payment of a bill: so many slots, by this card, with this fault of its gateway. */
type Part = { slots?: number; card?: string; fault?: string; gateway?: PspCode };

/** A group whose parts are authorised one after the other, so that it is captured when the last one is. */
async function bill(shop: Shop, parts: readonly Part[]): Promise<Bill> {
  const faults = parts.flatMap(({ slots = 1, fault }) => Array.from({ length: slots }, () => fault));
  const slot_metadata = faults.map((fault) => ({ metadata: fault ? { sandbox_fault: fault } : {} }));
  const distribution = { type: 'equally', number_of_slots: faults.length, slot_metadata };
  const group = await newGroup(shop.api, faults.length, { distribution });
  const pays: Pay[] = [];
  const left = group.payment_slots.map((slot) => slot.id);
  for (const { slots = 1, card = cards.approved, gateway } of parts) {
    if (gateway) await switchGateway(shared.stack, findMerchant(shared.stack, 'multi'), gateway);
    const who = payer(`p${pays.length}`, card);
    const body = { customer_email: who.email, slot_ids: left.splice(0, slots) };
    const pay = await shop.api.pay(group.group_payment.id, body);
    await authorise(shared.stack, shop.api, group.group_payment.id, pay, who);
    pays.push(pay);
  }
  return { shop, group, id: group.group_payment.id, pays };
}

/** A bill that was captured in full. */
async function paid(shop: Shop, parts: readonly Part[]): Promise<Bill> {
  const made = await bill(shop, parts);
  await shop.api.becomes(made.id, ['paid']);
  return made;
}

const findState = async ({ shop, id }: Bill) => (await shop.api.findGroup(id)).group_payment.state;
const slotStates = async ({ shop, id }: Bill) =>
  (await shop.api.findGroup(id)).payment_slots.map(({ state }) => state);
const slotIds = ({ group }: Bill, ...places: number[]) => places.map((at) => group.payment_slots[at - 1]!.id);
const listPaymentIds = (pays: readonly Pay[]) => pays.map((pay) => pay.payment_intent_id);
const getPayment = ({ pays }: Bill, at: number): Pay => pays[at] ?? pays[0]!;

/** The events of this group's refunds that the merchant received, each once, in the order of their sequence. */
function heard({ shop, id }: Bill) {
  const mine = shop.endpoint.deliveries
    .map(({ event }) => event)
    .filter((e) => e.data['group_payment_id'] === id);
  const once = [...new Map(mine.map((event) => [event.id, event])).values()];
  return once
    .filter(({ type }) => type.endsWith('refunded'))
    .toSorted((a, b) => Number(a.data['sequence']) - Number(b.data['sequence']));
}
const typesHeard = (of: Bill) => heard(of).map(({ type }) => type);

/**
 * Waits for an event and for all before it: an endpoint that is slow to answer one may receive the next before it (F3).
 */
async function hears(of: Bill, type: string): Promise<void> {
  const { event } = await of.shop.endpoint.accepted(type, of.id, 60_000);
  const told = () =>
    of.shop.endpoint.deliveries.filter((each) => each.event.data['group_payment_id'] === of.id);
  const places = () => new Set(told().map((each) => Number(each.event.data['sequence'])));
  await eventually(() => places().size >= Number(event.data['sequence']) || undefined);
}

/** The gateway gave exactly the whole amount of each payment back, with one refund. */
async function refundedOnce({ pays }: Bill): Promise<void> {
  for (const pay of pays) {
    const booked = await booksShow(shared.stack, pay, 'refunded');
    const minor = pay.slot_ids.length * 1_000;
    expect([Number(booked.captured_minor), Number(booked.refunded_minor)]).toEqual([minor, minor]);
    expect(effects(booked, 'refund')).toBeLessThanOrEqual(1);
  }
}

/** Actions in the gateway's own dashboard. */
async function elsewhere(pay: Pay, action: string): Promise<void> {
  const [booked] = await bookedPayments(shared.stack, pay.psp_code, pay.payment_intent_id);
  const url = `${shared.stack.sandbox}/control/payments/${String(booked?.psp_reference)}/external`;
  expect((await send('POST', url, { action })).status).toBeLessThan(300);
}

describe('a refund', () => {
  it("a refund of everything goes to every gateway of the group at once, and each payment's event precedes that of the group", async () => {
    const of = await paid(findShop('multi'), [{ gateway: 'gateway_a' }, { gateway: 'gateway_b', slots: 2 }]);
    expect(of.pays.map(({ psp_code }) => psp_code)).toEqual(['gateway_a', 'gateway_b']);
    const answer = await refund(of.shop.http, of.id);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      refunded_payment_intents: expect.any(Array),
      refunded_slot_ids: expect.any(Array),
      failed: [],
      group_state: 'refunded',
    });
    expect(answer.body.refunded_payment_intents.toSorted()).toEqual(listPaymentIds(of.pays).toSorted());
    expect(answer.body.refunded_slot_ids.toSorted()).toEqual(slotIds(of, 1, 2, 3).toSorted());
    expect(await findState(of)).toBe('refunded');
    expect(await slotStates(of)).toEqual(['refunded', 'refunded', 'refunded']);
    await refundedOnce(of);
    await hears(of, 'group_payment.refunded');
    const each = 'payment_intent.refunded';
    expect(typesHeard(of)).toEqual([each, each, 'group_payment.refunded']);
    expect(heard(of).at(-1)?.data).toMatchObject({
      state: 'refunded',
      amount_captured: 30,
      amount_refunded: 30,
    });
    expect(heard(of).map(({ data }) => data['refund_id'])).toEqual([
      expect.any(String),
      heard(of)[0]?.data['refund_id'],
      undefined,
    ]);
  });

  it.each(GATEWAYS)(
    'a refund of one slot refunds its whole payment (E4), and a second one the rest of the named slots (E10), on %s',
    async (gateway) => {
      const of = await paid(findShop(gateway), [{ slots: 2 }, { slots: 1 }]);
      const first = await refund(of.shop.http, of.id, { slots: slotIds(of, 2) });
      expect(first).toMatchObject({
        status: 200,
        body: {
          refunded_payment_intents: [of.pays[0]?.payment_intent_id],
          failed: [],
          group_state: 'partially_refunded',
        },
      });
      expect(first.body.refunded_slot_ids.toSorted()).toEqual(slotIds(of, 1, 2).toSorted());
      expect(await slotStates(of)).toEqual(['refunded', 'refunded', 'captured']);
      const rest = await refund(of.shop.http, of.id, { slots: slotIds(of, 1, 3) });
      expect(rest.body).toMatchObject({ refunded_slot_ids: slotIds(of, 3), group_state: 'refunded' });
      const nothing = await refund(of.shop.http, of.id, { slots: slotIds(of, 1) });
      expectError(nothing, 409, 'nothing_to_refund', 'nothing to refund');
      expectError(await refund(of.shop.http, of.id), 409, 'nothing_to_refund');
      await refundedOnce(of);
      await hears(of, 'group_payment.refunded');
      expect(typesHeard(of)).toEqual([
        'payment_intent.refunded',
        'group_payment.partially_refunded',
        'payment_intent.refunded',
        'group_payment.refunded',
      ]);
    },
  );

  it('a refund that is requested twice at the same time happens once, and one request finds nothing left (E2)', async () => {
    const of = await paid(findShop('gateway_b'), [{}, {}]);
    const answers = await Promise.all([1, 2].map(() => refund(of.shop.http, of.id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await refundedOnce(of);
  });

  it('a refund repeated under its key gets the same answer, also much later (Q12)', async () => {
    const of = await paid(findShop('gateway_a'), [{}]);
    const key = randomUUID();
    const first = await refund(of.shop.http, of.id, { key });
    const [again, beside] = await Promise.all([1, 2].map(() => refund(of.shop.http, of.id, { key })));
    expect(first.status).toBe(200);
    for (const repeat of [again, beside]) {
      expect(repeat).toMatchObject({ status: 200, body: first.body });
      expect(repeat?.headers.get('idempotent-replayed')).toBe('true');
    }
    expectError(
      await refund(of.shop.http, of.id, { key, slots: slotIds(of, 1) }),
      422,
      'idempotency_key_reused',
    );
    await refundedOnce(of);
  });
});

describe('a gateway that refuses', () => {
  it.each(GATEWAYS)(
    'a gateway that refuses one of two refunds leaves that payment captured, returns the reason, and can be asked again (E3), on %s',
    async (gateway) => {
      const of = await paid(findShop(gateway), [{}, { fault: chooseRefusal(gateway) }]);
      const answer = await refund(of.shop.http, of.id);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        refunded_payment_intents: [getPayment(of, 0).payment_intent_id],
        refunded_slot_ids: slotIds(of, 1),
        failed: [
          {
            payment_intent_id: getPayment(of, 1).payment_intent_id,
            psp_code: gateway,
            code: 'gateway_refused',
            error: expect.any(String),
          },
        ],
        group_state: 'partially_refunded',
      });
      expect(answer.body.failed[0]?.error).not.toBe(UNKNOWN);
      expect(await slotStates(of)).toEqual(['refunded', 'captured']);
      expect(await refund(of.shop.http, of.id)).toMatchObject({
        status: 200,
        body: { refunded_slot_ids: slotIds(of, 2), group_state: 'refunded' },
      });
      await refundedOnce(of);
    },
  );

  it.each(GATEWAYS)(
    'a group whose refunds are all refused gets a 502 each time under the same key, and can still be refunded (E3, Q12), on %s',
    async (gateway) => {
      const of = await paid(findShop(gateway), [{ fault: chooseRefusal(gateway) }]);
      const key = randomUUID();
      const answer = await refund(of.shop.http, of.id, { key });
      expect(answer.status).toBe(502);
      expect(answer.body).toMatchObject({
        refunded_payment_intents: [],
        refunded_slot_ids: [],
        failed: [{ psp_code: gateway }],
        group_state: 'refund_failed',
      });
      expect(await findState(of)).toBe('refund_failed');
      expect(await refund(of.shop.http, of.id, { key })).toMatchObject({ status: 502, body: answer.body });
      expect(await refund(of.shop.http, of.id)).toMatchObject({
        status: 200,
        body: { group_state: 'refunded' },
      });
      await refundedOnce(of);
      await hears(of, 'group_payment.refunded');
      expect(typesHeard(of)).toEqual(['payment_intent.refunded', 'group_payment.refunded']);
    },
  );

  it('a refund that the gateway reverses returns the money to the merchant, and can be made again (E6)', async () => {
    const of = await paid(findShop('gateway_a'), [{ fault: 'refund:async_failed' }, {}]);
    expect(await refund(of.shop.http, of.id)).toMatchObject({ status: 200 });
    await of.shop.api.becomes(of.id, ['partially_refunded']);
    expect((await slotStates(of)).toSorted()).toEqual(['captured', 'refunded']);
    const again = await refund(of.shop.http, of.id);
    expect(again).toMatchObject({ status: 200, body: { group_state: 'refunded' } });
    for (const pay of of.pays) await booksShow(shared.stack, pay, 'refunded');
  });
});

describe('a refund beside captures', () => {
  it('a refund is refused while nothing is captured, whole or by slot (E1)', async () => {
    const shop = findShop('gateway_a');
    const of = await bill(shop, [{ fault: 'capture:http_500:40' }]);
    await shop.api.becomes(of.id, ['capturing']);
    expectError(await refund(shop.http, of.id), 409, 'nothing_to_refund');
    const named = await refund(shop.http, of.id, { slots: slotIds(of, 1) });
    expectError(named, 409, 'slots_not_captured', 'the requested slots have no captured payment');
    const refusal = { param: 'slot_ids', reason: 'has no captured payment' };
    expect(named.body['details']).toEqual(slotIds(of, 1).map((slot_id) => ({ ...refusal, slot_id })));
  });

  it.each(GATEWAYS)(
    'a refund of everything refunds what was captured and lets nothing more be captured (E1), on %s',
    async (gateway) => {
      const shop = findShop(gateway);
      const of = await bill(shop, [{}, { fault: 'capture:rate_limit:40' }]);
      await shop.api.becomes(of.id, ['partially_paid']);
      const answer = await refund(shop.http, of.id);
      expect(answer).toMatchObject({ status: 200, body: { refunded_slot_ids: slotIds(of, 1), failed: [] } });
      await shop.api.becomes(of.id, ['refunded'], 90_000);
      await booksShow(shared.stack, getPayment(of, 0), 'refunded');
      expect(
        Number((await booksShow(shared.stack, getPayment(of, 1), 'voided', 90_000)).captured_minor),
      ).toBe(0);
      expect(await slotStates(of)).toEqual(['refunded', 'cancelled']);
    },
  );

  it('a refund of everything also refunds a capture whose outcome was unknown (E1)', async () => {
    const shop = findShop('gateway_a');
    const of = await bill(shop, [{}, { fault: 'capture:drop_response' }]);
    await shop.api.becomes(of.id, ['partially_paid', 'paid']);
    const answer = await refund(shop.http, of.id);
    expect(answer.status).toBe(200);
    await shop.api.becomes(of.id, ['refunded'], 90_000);
    await refundedOnce(of);
  });

  it('a refund of a slot changes no other capture (E1)', async () => {
    const shop = findShop('gateway_b');
    const of = await bill(shop, [{}, { fault: 'capture:rate_limit:1' }]);
    // Partially paid for the five seconds until the other capture is tried again.
    await shop.api.becomes(of.id, ['partially_paid', 'paid']);
    expect(await refund(shop.http, of.id, { slots: slotIds(of, 1) })).toMatchObject({ status: 200 });
    await booksShow(shared.stack, getPayment(of, 1), 'captured', 90_000);
    await shop.api.becomes(of.id, ['partially_refunded'], 90_000);
    expect(await slotStates(of)).toEqual(['refunded', 'captured']);
  });
});

describe('an external operation at the gateway', () => {
  it.each(GATEWAYS)(
    'a refund made at the gateway is recorded here, with its events, on %s (E8)',
    async (gateway) => {
      const of = await paid(findShop(gateway), [{}, {}]);
      await elsewhere(getPayment(of, 0), 'refund');
      await of.shop.api.becomes(of.id, ['partially_refunded']);
      expect((await slotStates(of)).toSorted()).toEqual(['captured', 'refunded']);
      expect(await refund(of.shop.http, of.id)).toMatchObject({
        body: { refunded_payment_intents: [getPayment(of, 1).payment_intent_id], group_state: 'refunded' },
      });
      await refundedOnce(of);
      await hears(of, 'group_payment.refunded');
      expect(typesHeard(of)).toHaveLength(4);
    },
  );

  it('a dispute at the gateway makes a refund of its payment fail with that reason (E9)', async () => {
    const of = await paid(findShop('gateway_a'), [{}]);
    await elsewhere(getPayment(of, 0), 'dispute');
    const disputed = 'select id from intents where group_id = $1 and disputed';
    for (const giveUpAt = Date.now() + 30_000; ; await delay(100)) {
      if ((await askLedger(shared.stack, disputed, [of.id])).length > 0) break;
      if (Date.now() > giveUpAt) throw new TimeoutError('the dispute was never heard of');
    }
    expect(await refund(of.shop.http, of.id)).toMatchObject({
      status: 502,
      body: {
        failed: [{ code: 'payment_disputed', error: 'payment is disputed' }],
        group_state: 'refund_failed',
      },
    });
    expect(await slotStates(of)).toEqual(['captured']);
    const [booked] = await bookedPayments(shared.stack, 'gateway_a', getPayment(of, 0).payment_intent_id);
    expect(Number(booked?.refunded_minor)).toBe(0);
  });
});

describe('a gateway that does not answer', () => {
  it.each(rows(UNSEEN))(
    'a refund on %s with %s is queried, and the refund the gateway made is recorded (R5)',
    async (gateway, doubt) => {
      const { of, answer } = await waitForEnd(`${gateway} ${doubt}`);
      expect(answer).toMatchObject({ status: 200, body: { failed: [], group_state: 'refunded' } });
      await refundedOnce(of);
    },
  );
});

describe('a gateway that stays silent', () => {
  it('a gateway that is silent for 20 s leaves the refund unknown and the group refunding, and its events follow the outcome (E5)', async () => {
    const of = await paid(findShop('multi'), [{ gateway: 'gateway_a' }, { gateway: 'gateway_b' }]);
    const [silent, prompt] = [getPayment(of, 0), getPayment(of, 1)];
    await stopProcess(shared.stack, 'gateway-a');
    const key = randomUUID();
    const answer = await refund(of.shop.http, of.id, { key });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      refunded_payment_intents: [prompt.payment_intent_id],
      refunded_slot_ids: slotIds(of, 2),
      failed: [
        {
          payment_intent_id: silent.payment_intent_id,
          psp_code: 'gateway_a',
          code: 'outcome_unknown',
          error: UNKNOWN,
        },
      ],
      group_state: 'partially_refunded',
    });
    expect(await findState(of)).toBe('refunding');
    expectError(await refund(of.shop.http, of.id), 409, 'nothing_to_refund');
    await startProcess(shared.stack, 'gateway-a');
    await of.shop.api.becomes(of.id, ['refunded'], 90_000);
    await refundedOnce(of);
    await hears(of, 'group_payment.refunded');
    const each = 'payment_intent.refunded';
    expect(typesHeard(of)).toEqual([each, each, 'group_payment.refunded']);
    const again = await refund(of.shop.http, of.id, { key });
    expect(again).toMatchObject({ status: 200, body: answer.body });
  }, 180_000);
});

describe('the owner of a refund', () => {
  it('the owner of a refund gets a 404 for another merchant’s group, and a 400 for a slot of another group (S9)', async () => {
    const [mine, theirs] = [findShop('gateway_a'), findShop('gateway_b')];
    const of = await paid(mine, [{}]);
    expectError(await refund(theirs.http, of.id), 404, 'not_found', 'group payment not found');
    expectError(await refund(mine.http, randomUUID()), 404, 'not_found', 'group payment not found');
    const live = openRequests(shared.stack.api, findMerchant(shared.stack, 'gateway_a').live_key);
    expectError(await refund(live, of.id), 404, 'not_found');
    const other = await newGroup(mine.api, 1);
    for (const stranger of [other.payment_slots[0]!.id, randomUUID()])
      expectError(await refund(mine.http, of.id, { slots: [stranger] }), 400, 'invalid_slot_ids');
    expectError(await refund(openRequests(shared.stack.api), of.id), 401, 'unauthorized');
    expectError(await refund(mine.http, other.group_payment.id), 409, 'nothing_to_refund');
    expect(await findState(of)).toBe('paid');
  });
});

// Last: what it waits for goes on beside everything above.
describe('a gateway that has not refunded and does not report it', () => {
  it.each(rows(UNDONE))(
    'a refund on %s with %s is queried before anything is sent again, and happens once (R4)',
    async (gateway, doubt) => {
      const { of, answer } = await waitForEnd(`${gateway} ${doubt}`);
      // The known state at the time of the answer depends on when the next try is due.
      expect([200, 502]).toContain(answer.status);
      await of.shop.api.becomes(of.id, ['refunded'], 150_000);
      await refundedOnce(of);
    },
    180_000,
  );
});

it('every promise of the ledger holds after all of this', async () => {
  expect(await brokenPromises(shared.stack)).toEqual([]);
});
