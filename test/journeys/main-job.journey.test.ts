import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, TimeoutError } from '@gp/testing';
import type { Answer, Group, MerchantApi, Pay } from '../support/api.ts';
import { bookedPayments } from '../support/books.ts';
import {
  openApi,
  beforeExpiry,
  booksShow,
  effects,
  inSeconds,
  newGroup,
  payer,
  paySlot,
} from '../support/journey.ts';
import { askLedger } from '../support/ledger.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { answerBank, authorise, cards, buildConfirmRequest, postCard } from '../support/payer.ts';
import { brokenPromises } from '../support/promises.ts';
import { expectError, openRequests, type Requests } from '../support/requests.ts';
import { findMerchant, type StackFile } from '../support/stack.ts';
import { switchGateway } from '../support/switch-gateway.ts';

type Side = { readonly api: MerchantApi; readonly http: Requests };
let shared: SharedStack;
let stack: StackFile;
let a: Side;
let b: Side;

beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_a', 'gateway_b', 'multi'] });
  stack = shared.stack;
  [a, b] = [openSide('gateway_a'), openSide('gateway_b')];
});
afterAll(() => shared?.close());

function openSide(gateway: string): Side {
  const merchant = findMerchant(stack, gateway);
  return { api: openApi(stack, merchant), http: openRequests(stack.api, merchant.test_key) };
}

const buildPath = (group: Group, action: string) => `/v1/group-payments/${group.group_payment.id}/${action}`;
const slotIds = (group: Group, ...indexes: number[]) =>
  indexes.map((index) => group.payment_slots[index]?.id ?? '');
const slotStates = (group: Group) => group.payment_slots.map(({ state }) => state);

/** Starts a payment of some slots, or of all that are free. */
function pay(side: Side, group: Group, who: string, indexes?: number[]): Promise<Answer> {
  return side.http.post(buildPath(group, 'pay'), {
    customer_email: `${who}@payers.example`,
    ...(indexes && { slot_ids: slotIds(group, ...indexes) }),
  });
}
const started = async (side: Side, group: Group, who: string, indexes?: number[]): Promise<Pay> => {
  const answer = await pay(side, group, who, indexes);
  expect(answer.status).toBe(201);
  return answer.body as Pay;
};
const confirm = async (side: Side, group: Group, payment: Pay, card: string): Promise<Answer> =>
  side.http.post(
    buildPath(group, 'confirm'),
    await buildConfirmRequest(stack, payment, payer('holder', card)),
  );

/** Waits until the slots of a group are in these states. */
async function slotsBecome(side: Side, group: Group, states: string[]): Promise<Group> {
  for (const giveUpAt = Date.now() + 60_000; ; await delay(100)) {
    const now = await side.api.findGroup(group.group_payment.id);
    if (slotStates(now).join() === states.join()) return now;
    if (Date.now() > giveUpAt)
      throw new TimeoutError(`slots are ${slotStates(now).join()}, not ${states.join()}`);
  }
}

describe('the main job', () => {
  it.each(['gateway_a', 'gateway_b'])(
    'a group of three ends paid on %s, with one hold and one capture for each payment',
    async (gateway) => {
      const { api } = openSide(gateway);
      const group = await newGroup(api, 3);
      const payments: Pay[] = [];
      for (const index of [0, 1, 2]) {
        payments.push(await paySlot(stack, api, group, index, payer(`main${index}`)));
        if (index === 2) break;
        const held = await api.becomes(group.group_payment.id, ['partially_preauthorised']);
        expect(held.group_payment.state).toBe('partially_preauthorised');
      }
      const ended = await api.becomes(group.group_payment.id, ['paid']);
      expect(slotStates(ended)).toEqual(['captured', 'captured', 'captured']);
      for (const payment of payments) {
        const booked = await booksShow(stack, payment, 'captured');
        expect([booked.authorised_minor, booked.captured_minor].map(Number)).toEqual([1_000, 1_000]);
        expect([effects(booked, 'authorise'), effects(booked, 'capture')]).toEqual([1, 1]);
      }
    },
  );

  it('payers of one group pay on the gateway that is active when they come (B11)', async () => {
    const merchant = findMerchant(stack, 'multi');
    const api = openApi(stack, merchant);
    const group = await newGroup(api, 2);
    await switchGateway(stack, merchant, 'gateway_b');
    const first = await paySlot(stack, api, group, 0, payer('early'));
    await switchGateway(stack, merchant, 'gateway_a');
    const second = await paySlot(stack, api, group, 1, payer('late', cards.authenticated));
    expect([first.psp_code, second.psp_code]).toEqual(['gateway_b', 'gateway_a']);
    await api.becomes(group.group_payment.id, ['paid']);
    for (const payment of [first, second]) await booksShow(stack, payment, 'captured');
  });

  it.each(['gateway_a', 'gateway_b'])(
    'one payer of all slots has one hold for their sum on %s, and all slots move together (B10)',
    async (gateway) => {
      const { api } = openSide(gateway);
      const group = await newGroup(api, 3, {
        total_amount: 60.6,
        distribution: { type: 'custom', slots: [{ amount: 10.1 }, { amount: 20.2 }, { amount: 30.3 }] },
      });
      const payment = await started(openSide(gateway), group, 'generous');
      expect(payment).toMatchObject({ amount: 60.6, currency: 'EUR', slot_ids: slotIds(group, 0, 1, 2) });
      await authorise(stack, api, group.group_payment.id, payment, payer('generous'));
      await api.becomes(group.group_payment.id, ['paid']);
      expect(Number((await booksShow(stack, payment, 'captured')).captured_minor)).toBe(6_060);
    },
  );
});

describe('declines', () => {
  it('a decline is a 400, frees the slot at once and leaves the same payer free to pay again (B8)', async () => {
    const group = await newGroup(b.api, 1);
    const payment = await started(b, group, 'ana', [0]);
    expectError(await confirm(b, group, payment, cards.declined), 400, 'card_declined');
    const free = await b.api.findGroup(group.group_payment.id);
    expect(free.payment_slots[0]).toMatchObject({ state: 'unassigned', assigned_customer_id: null });
    const again = await started(b, group, 'ana', [0]);
    const confirmed = await confirm(b, group, again, cards.approved);
    expect({ status: confirmed.status, body: confirmed.body }).toEqual({
      status: 200,
      body: { status: 'preauthorised' },
    });
    await b.api.becomes(group.group_payment.id, ['paid']);
  });

  it('a declined payment takes its slots back with a better card, unless another payer has them (B8)', async () => {
    const group = await newGroup(b.api, 2);
    const payment = await started(b, group, 'ana', [0]);
    expectError(await confirm(b, group, payment, cards.declined), 400, 'card_declined');
    expect((await confirm(b, group, payment, cards.approved)).status).toBe(200);
    const lost = await started(b, group, 'ben', [1]);
    expectError(await confirm(b, group, lost, cards.declined), 400, 'card_declined');
    await started(b, group, 'cleo', [1]);
    expectError(await confirm(b, group, lost, cards.approved), 400, 'slot_no_longer_available');
  });

  it('a payment accepts five declines and no sixth authorisation (B8)', async () => {
    const group = await newGroup(b.api, 1);
    const payment = await started(b, group, 'stubborn', [0]);
    for (let decline = 1; decline <= 5; decline++)
      expectError(await confirm(b, group, payment, cards.declined), 400, 'card_declined');
    expectError(await confirm(b, group, payment, cards.approved), 400, 'too_many_declines');
  });

  it('on gateway_a the browser gets the decline and the slot is free again (B8)', async () => {
    const group = await newGroup(a.api, 1);
    const payment = await started(a, group, 'ana', [0]);
    await expect(postCard(stack, payment, cards.declined)).rejects.toMatchObject({ answer: { status: 402 } });
    await slotsBecome(a, group, ['unassigned']);
    await paySlot(stack, a.api, group, 0, payer('ana'));
    await a.api.becomes(group.group_payment.id, ['paid']);
  });
});

describe('3-D Secure', () => {
  it('3-D Secure on gateway_a holds the amount when the payer proves who they are', async () => {
    const group = await newGroup(a.api, 1);
    const payment = await paySlot(stack, a.api, group, 0, payer('proven', cards.authenticated));
    await a.api.becomes(group.group_payment.id, ['paid']);
    await booksShow(stack, payment, 'captured');
  });

  it('3-D Secure on gateway_a frees the slot when the payer does not prove who they are', async () => {
    const group = await newGroup(a.api, 1);
    const payment = await started(a, group, 'stranger', [0]);
    const page = await postCard(stack, payment, cards.authenticated);
    await answerBank(String(page), 'failed');
    await slotsBecome(a, group, ['unassigned']);
    expect((await a.api.findGroup(group.group_payment.id)).group_payment.state).toBe('open');
  });

  it('a card that needs 3-D Secure on gateway_b is a 400 without a return_url, and frees the slot', async () => {
    const group = await newGroup(b.api, 1);
    const payment = await started(b, group, 'asked', [0]);
    expectError(await confirm(b, group, payment, cards.authenticated), 400, 'authentication_required');
    await slotsBecome(b, group, ['unassigned']);
  });
});

describe('reserving slots', () => {
  it('the same payer and slots give the same payment, and a conflict once it is held (A4)', async () => {
    const group = await newGroup(a.api, 2);
    const first = await started(a, group, 'ana', [0]);
    const second = await started(a, group, 'ANA', [0]);
    expect(second.payment_intent_id).toBe(first.payment_intent_id);
    expect(second.client_secret).toBe(first.client_secret);
    await authorise(stack, a.api, group.group_payment.id, second, payer('ana'));
    await slotsBecome(a, group, ['preauthorised', 'unassigned']);
    expectError(await pay(a, group, 'ana', [0]), 409, 'no_payable_slots');
  });

  it('a payer who wants other slots gets a new payment for them, and the old one cannot hold any more (A5)', async () => {
    const group = await newGroup(b.api, 3);
    const old = await started(b, group, 'ana', [0, 1]);
    const fresh = await started(b, group, 'ana', [1, 2]);
    expect(fresh.payment_intent_id).not.toBe(old.payment_intent_id);
    expect(slotStates(await b.api.findGroup(group.group_payment.id))).toEqual([
      'unassigned',
      'assigned',
      'assigned',
    ]);
    expect((await confirm(b, group, old, cards.approved)).status).toBe(400);
    expect((await confirm(b, group, fresh, cards.approved)).status).toBe(200);
    expect(slotStates(await b.api.findGroup(group.group_payment.id))).toEqual([
      'unassigned',
      'preauthorised',
      'preauthorised',
    ]);
  });

  it('the second of two overlapping sets reserves nothing, and its error lists the taken slots (A2)', async () => {
    const group = await newGroup(b.api, 3);
    await started(b, group, 'ana', [0, 1]);
    const refused = await pay(b, group, 'ben', [1, 2]);
    expectError(refused, 409, 'no_payable_slots', 'no payable slots');
    expect(JSON.stringify(refused.body['details'])).toContain(slotIds(group, 1)[0]);
    expect(JSON.stringify(refused.body['details'])).not.toContain(slotIds(group, 2)[0]);
    expect(slotStates(await b.api.findGroup(group.group_payment.id))[2]).toBe('unassigned');
  });

  it('a payer without slot_ids gets all free slots, and a conflict when none is free (A3)', async () => {
    const group = await newGroup(b.api, 3);
    await started(b, group, 'ana', [1]);
    expect((await started(b, group, 'ben')).slot_ids).toEqual(slotIds(group, 0, 2));
    expectError(await pay(b, group, 'cleo'), 409, 'no_payable_slots', 'no payable slots');
  });

  it('repeated, unknown and foreign slots are a 400, taken ones a 409 (A9)', async () => {
    const [group, other] = [await newGroup(b.api, 2), await newGroup(b.api, 1)];
    const [id = ''] = slotIds(group, 0);
    const foreign = [[id, id], ['018f0000-0000-7000-8000-000000000000'], slotIds(other, 0)];
    for (const slot_ids of foreign) {
      const body = { customer_email: 'ana@payers.example', slot_ids };
      expectError(await b.http.post(buildPath(group, 'pay'), body), 400, 'invalid_slot_ids');
    }
    await started(b, group, 'ana', [0]);
    expectError(await pay(b, group, 'ben', [0]), 409, 'no_payable_slots');
  });
});

describe('expiry', () => {
  it.each(['gateway_a', 'gateway_b'])(
    'a group that expires on %s releases its holds, charges nobody and accepts no more payers (C1)',
    async (gateway) => {
      const side = openSide(gateway);
      const { group, held } = await beforeExpiry(4, async (expires_at) => {
        const group = await newGroup(side.api, 3, { expires_at });
        const held = await paySlot(stack, side.api, group, 0, payer('ana'));
        await started(side, group, 'ben', [1]);
        return { group, held };
      });
      const ended = await side.api.becomes(group.group_payment.id, ['expired']);
      expect(slotStates(ended)).toEqual(['expired', 'expired', 'expired']);
      const booked = await booksShow(stack, held, 'voided');
      expect(Number(booked.captured_minor)).toBe(0);
      expectError(await pay(side, group, 'cleo', [2]), 409, 'group_expired');
    },
  );

  it.each([
    ['expired', undefined],
    ['captured another payment (Q90)', { minimum_slots: 1 }],
  ])(
    'a hold that gateway_b grants after the expiry has %s is released, and its payer is told of the expiry (B7)',
    async (_end, capture_at_expiry) => {
      const { group, payment, confirming } = await beforeExpiry(6, async (expires_at) => {
        const slow = { metadata: { sandbox_fault: 'authorise:delay:4500' } };
        const group = await newGroup(b.api, 2, {
          expires_at,
          distribution: { type: 'equally', number_of_slots: 2, slot_metadata: [slow, { metadata: {} }] },
          ...(capture_at_expiry && { capture_at_expiry }),
        });
        if (capture_at_expiry) await paySlot(stack, b.api, group, 1, payer('quick'));
        const payment = await started(b, group, 'slow', [0]);
        const body = await buildConfirmRequest(stack, payment, payer('holder'));
        await delay(Math.max(0, Date.parse(expires_at) - 3_000 - Date.now()));
        const confirming = b.http.post(buildPath(group, 'confirm'), body);
        await hasBegun(payment);
        return { group, payment, confirming };
      });
      expectError(await confirming, 409, 'group_expired');
      const booked = await booksShow(stack, payment, 'voided');
      expect([Number(booked.captured_minor), effects(booked, 'void')]).toEqual([0, 1]);
      await b.api.becomes(group.group_payment.id, [capture_at_expiry ? 'partially_paid' : 'expired']);
    },
  );

  it('a 3-D Secure page that is answered after the group has expired charges nobody (B7)', async () => {
    const { group, payment, page } = await beforeExpiry(3, async (expires_at) => {
      const group = await newGroup(a.api, 1, { expires_at });
      const payment = await started(a, group, 'slow', [0]);
      return { group, payment, page: await postCard(stack, payment, cards.authenticated) };
    });
    await a.api.becomes(group.group_payment.id, ['expired']);
    // The cancellation may reach the gateway first; then the bank's yes holds nothing, which is as good.
    const refused = await answerBank(String(page), 'authenticated').catch((error: unknown) => error);
    if (refused === undefined) await notHeld(payment);
    expect((await a.api.findGroup(group.group_payment.id)).group_payment.state).toBe('expired');
  });
});

/** Waits until the request for the hold is at the gateway. */
async function hasBegun({ payment_intent_id }: Pay): Promise<void> {
  const sql = 'select from attempts where intent_id = $1';
  await eventually(async () => (await askLedger(stack, sql, [payment_intent_id])).length > 0 || undefined);
}

/** Waits until the gateway holds nothing of a payment. */
async function notHeld(payment: Pay): Promise<void> {
  for (const giveUpAt = Date.now() + 60_000; ; await delay(100)) {
    const booked = await bookedPayments(stack, payment.psp_code, payment.payment_intent_id);
    expect(booked.map(({ captured_minor }) => Number(captured_minor))).not.toContain(1_000);
    if (booked.every(({ status }) => status === 'voided')) return;
    if (Date.now() > giveUpAt) throw new TimeoutError(`held: ${booked.map(({ status }) => status).join()}`);
  }
}

describe('money', () => {
  const create = (side: Side, total_amount: number, currency: string, number_of_slots: number) =>
    side.http.post('/v1/group-payments', {
      group_name: 'Money',
      total_amount,
      currency,
      expires_at: inSeconds(3_600),
      distribution: { type: 'equally', number_of_slots },
    });
  const amounts = ({ body }: Answer) => (body as unknown as Group).payment_slots.map(({ amount }) => amount);

  it('equal shares add up to the total in the smallest step the gateway takes (G1, G2, G3)', async () => {
    expect(amounts(await create(b, 100, 'EUR', 3))).toEqual([33.34, 33.33, 33.33]);
    expect(amounts(await create(b, 100, 'JPY', 3))).toEqual([34, 33, 33]);
    expect(amounts(await create(b, 10, 'KWD', 3))).toEqual([3.334, 3.333, 3.333]);
    expect(amounts(await create(a, 10, 'KWD', 3))).toEqual([3.34, 3.33, 3.33]);
    expectError(await create(a, 10.005, 'KWD', 3), 400, 'validation_error');
    expectError(await create(a, 10.5, 'JPY', 1), 400, 'validation_error');
  });

  it.each([
    ['gateway_a', 'JPY', 301, 301],
    ['gateway_a', 'KWD', 10, 10_000],
    ['gateway_a', 'ISK', 501, 50_100],
    ['gateway_a', 'HUF', 500.5, 50_050],
    ['gateway_a', 'MGA', 5_000, 5_000],
    ['gateway_b', 'JPY', 301, 301],
    ['gateway_b', 'KWD', 10.001, 10_001],
    ['gateway_b', 'ISK', 501, 501],
    ['gateway_b', 'HUF', 500.5, 50_050],
  ])(
    'on %s an amount in %s is held and captured in the gateway’s own units (G2, G3)',
    async (psp, currency, total, sent) => {
      const { api } = psp === 'gateway_a' ? a : b;
      const group = await newGroup(api, 2, { total_amount: total, currency });
      const payment = await started(psp === 'gateway_a' ? a : b, group, 'ana');
      expect(payment.amount).toBe(total);
      await authorise(stack, api, group.group_payment.id, payment, payer('ana'));
      await api.becomes(group.group_payment.id, ['paid']);
      expect(Number((await booksShow(stack, payment, 'captured')).captured_minor)).toBe(sent);
    },
  );

  it('an amount between two steps of the gateway is refused at pay, and the error names the step (G3)', async () => {
    const { body } = await a.http.post('/v1/group-payments', {
      group_name: 'Money',
      total_amount: 6.668,
      currency: 'KWD',
      expires_at: inSeconds(3_600),
      distribution: { type: 'custom', slots: [{ amount: 3.334 }, { amount: 3.334 }] },
    });
    const refused = await pay(a, body as unknown as Group, 'ana', [0]);
    const why = 'the payment gateway takes only multiples of 0.010 KWD';
    expectError(refused, 400, 'currency_not_supported_by_gateway', why);
  });

  it('a currency that the gateway does not take is refused at pay and leaves the slots free', async () => {
    const group = await newGroup(a.api, 2, { total_amount: 10, currency: 'LYD' });
    expectError(await pay(a, group, 'ana', [0]), 400, 'currency_not_supported_by_gateway');
    await slotsBecome(a, group, ['unassigned', 'unassigned']);
  });

  it('amounts are read as they are written, and too many decimals are refused in words (G4)', async () => {
    const refused = await create(b, 0.123, 'EUR', 1);
    const why = 'Validation error: total_amount: at most 2 decimals for EUR';
    expectError(refused, 400, 'validation_error', why);
    const { status, body } = await b.http.post('/v1/group-payments', {
      group_name: 'Money',
      total_amount: 0.6,
      currency: 'EUR',
      expires_at: inSeconds(3_600),
      distribution: { type: 'custom', slots: [{ amount: 0.1 }, { amount: 0.2 }, { amount: 0.3 }] },
    });
    expect([status, (body as unknown as Group).payment_slots.map(({ amount }) => amount)]).toEqual([
      201,
      [0.1, 0.2, 0.3],
    ]);
  });

  it('an amount below the gateway minimum is refused at pay and leaves the slot free (G5)', async () => {
    const group = await newGroup(a.api, 2, { total_amount: 0.9 });
    expectError(await pay(a, group, 'ana', [0]), 400, 'amount_below_gateway_minimum');
    await slotsBecome(a, group, ['unassigned', 'unassigned']);
    expect((await started(a, group, 'ana')).amount).toBe(0.9);
  });

  it('a sum above the gateway maximum is refused at pay, and its parts are accepted (G6)', async () => {
    const group = await newGroup(a.api, 2, { total_amount: 1_200_000 });
    expectError(await pay(a, group, 'ana'), 400, 'amount_above_gateway_maximum');
    await slotsBecome(a, group, ['unassigned', 'unassigned']);
    expect((await started(a, group, 'ana', [0])).amount).toBe(600_000);
  });
});

it('every promise of the ledger holds after all of this', async () => {
  expect(await brokenPromises(stack)).toEqual([]);
});
