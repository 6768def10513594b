import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { eventually } from '@gp/testing';
import type { Answer, Group, Json, Pay } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { openApi, inSeconds, newGroup, payer } from '../support/journey.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { buildConfirmRequest } from '../support/payer.ts';
import { expectError, openRequests, type Requests } from '../support/requests.ts';
import { findMerchant, type StackFile } from '../support/stack.ts';

let shared: SharedStack;
let stack: StackFile;
let server: Requests;

beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_a', 'gateway_b'] });
  stack = shared.stack;
  server = openRequests(stack.api, findMerchant(stack, 'gateway_b').test_key);
});
afterAll(() => shared?.close());

const group = (slots: number, o: Json = {}): Promise<Group> =>
  newGroup(openApi(stack, findMerchant(stack, 'gateway_b')), slots, o);
const at = ({ group_payment }: Group, suffix = '') => `/v1/group-payments/${group_payment.id}${suffix}`;
const mint = async (of: Group, body?: Json): Promise<Answer> => server.post(at(of, '/session'), body);
const decodeClaims = (token: unknown): Json =>
  JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString()) as Json;
const slotIds = ({ payment_slots }: Group) => payment_slots.map(({ id }) => id);
/** A browser that holds a token minted like this. */
const openBrowserRequests = async (of: Group, wanted?: Json): Promise<Requests> =>
  openRequests(stack.api, String((await mint(of, wanted)).body['token']));
const ana = payer('ana');
const ben = payer('ben');

describe('a browser with a session token', () => {
  it('a browser with a session token reads and pays its group to the end, and gets no data of the other payers (A11, Q6)', async () => {
    const bill = await group(2, { metadata: { host: 'carla@payers.example' } });
    const minted = await mint(bill);
    expect(minted.body).toEqual({
      token: expect.any(String),
      group_payment_id: bill.group_payment.id,
      expires_in: 1_800,
    });
    const browser = openRequests(stack.api, String(minted.body['token']));
    for (const [index, who] of [ana, ben].entries()) {
      const slot_ids = [bill.payment_slots[index]?.id];
      const order = { customer_email: who.email, customer_name: who.name, slot_ids };
      const pay = await browser.post(at(bill, '/pay'), order, { 'idempotency-key': randomUUID() });
      expect(pay.status).toBe(201);
      const card = await buildConfirmRequest(stack, pay.body as never, who);
      expect((await browser.post(at(bill, '/confirm'), card as Json)).body).toEqual({
        status: 'preauthorised',
      });
      const shown = JSON.stringify((await browser.get(at(bill))).body);
      // With the second hold the group may be captured already.
      expect(shown).toMatch(/preauthorised|captur/);
      expect(shown).not.toMatch(/payers\.example|Example|customer_id":"/);
    }
    await openApi(stack, findMerchant(stack, 'gateway_b')).becomes(bill.group_payment.id, ['paid']);
    expect((await browser.get(at(bill))).body).toMatchObject({ group_payment: { state: 'paid' } });
  });
});

describe('a token that is limited', () => {
  it('a token limited to a payer pays for that payer only, whatever the spelling, and does not reveal the payer (Q6)', async () => {
    const bill = await group(2);
    const { token } = (await mint(bill, { customer_email: 'Ana@payers.example' })).body;
    expect(JSON.stringify(decodeClaims(token))).not.toMatch(/ana@/i);
    const browser = openRequests(stack.api, String(token));
    const pay = (customer_email: string) => browser.post(at(bill, '/pay'), { customer_email });
    const refused = await pay(ben.email);
    expectError(refused, 400, 'validation_error');
    expect(refused.body['param']).toBe('customer_email');
    expect(await listSlotStates(bill)).toEqual(['unassigned', 'unassigned']);
    const paid = await pay('ANA@Payers.Example');
    expect({ status: paid.status, slots: paid.body['slot_ids'] }).toEqual({
      status: 201,
      slots: slotIds(bill),
    });
  });

  it('a token limited to slots reserves those slots only, named or not (Q6)', async () => {
    const bill = await group(3);
    const [first, second, third] = slotIds(bill);
    const browser = await openBrowserRequests(bill, { slot_ids: [first?.toUpperCase(), third] });
    const pay = (slot_ids?: unknown[]) =>
      browser.post(at(bill, '/pay'), { customer_email: ana.email, ...(slot_ids && { slot_ids }) });
    for (const foreign of [[second], [first, second]])
      expectError(await pay(foreign), 400, 'invalid_slot_ids');
    expect(await listSlotStates(bill)).toEqual(['unassigned', 'unassigned', 'unassigned']);
    expect((await pay()).body['slot_ids']).toEqual([first, third]);
    expect(await listSlotStates(bill)).toEqual(['assigned', 'unassigned', 'assigned']);
    const unlimited = { customer_email: ben.email };
    expect((await server.post(at(bill, '/pay'), unlimited)).body['slot_ids']).toEqual([second]);
  });

  it('a token lives as long as requested, half an hour by default, and at most half an hour beyond its bill (Q6)', async () => {
    const long = await group(1);
    const soon = await group(1, { expires_at: inSeconds(300) });
    const measureLifetime = async (of: Group, wanted?: Json) => {
      const { token, expires_in } = (await mint(of, wanted)).body;
      const { exp, iat } = decodeClaims(token);
      expect(Number(exp) - Number(iat)).toBe(expires_in);
      return Number(expires_in);
    };
    expect(await measureLifetime(long)).toBe(1_800);
    expect(await measureLifetime(long, {})).toBe(1_800);
    expect(await measureLifetime(long, { expires_in: 60 })).toBe(60);
    expect(await measureLifetime(long, { expires_in: 3_600 })).toBe(3_600);
    const cut = await measureLifetime(soon, { expires_in: 3_600 });
    expect(cut).toBeGreaterThan(1_800);
    expect(cut).toBeLessThanOrEqual(2_100);
  });

  it.each([
    ['a life of 59 seconds', { expires_in: 59 }, 'expires_in'],
    ['a life of more than an hour', { expires_in: 3_601 }, 'expires_in'],
    ['a payer without an address', { customer_email: 'nobody' }, 'customer_email'],
    ['no slots at all', { slot_ids: [] }, 'slot_ids'],
    ['a scope of its own making', { scope: ['refund'] }, 'scope'],
  ])('a limited token is not minted for %s: 400', async (_what, wanted, param) => {
    const refused = await mint(await group(1), wanted);
    expectError(refused, 400, 'validation_error');
    expect(String(refused.body['param'])).toContain(param);
  });

  it('a limited token is not minted for slots of another bill: 400', async () => {
    const [bill, other] = [await group(1), await group(1)];
    expectError(await mint(bill, { slot_ids: slotIds(other) }), 400, 'invalid_slot_ids');
  });
});

describe('payers of one merchant', () => {
  it("a payer cannot open another payer's held payment or bill with that payer's address (A11)", async () => {
    const [bill, other] = [await group(2), await group(1)];
    const slot_ids = [slotIds(bill)[0]];
    const asAna = { customer_email: ana.email, customer_name: ana.name, slot_ids };
    const first = await (await openBrowserRequests(bill)).post(at(bill, '/pay'), asAna);
    const card = await buildConfirmRequest(stack, first.body as Pay, ana);
    expect((await server.post(at(bill, '/confirm'), card as Json)).status).toBe(200);
    const stranger = await openBrowserRequests(bill);
    const again = await stranger.post(at(bill, '/pay'), { customer_email: ana.email, slot_ids });
    expectError(again, 409, 'no_payable_slots');
    expect(JSON.stringify(again.body)).not.toContain(String(first.body['payment_intent_id']));
    const elsewhere = await openBrowserRequests(other);
    const paid = await elsewhere.post(at(other, '/pay'), { customer_email: ana.email });
    expect(paid.status).toBe(201);
    expect(JSON.stringify(paid.body)).not.toMatch(/Example|payers/);
    expect(JSON.stringify((await elsewhere.get(at(other))).body)).not.toContain('customer_id":"');
  });

  it("a payer cannot get a server's response by guessing its Idempotency-Key in a browser (A10)", async () => {
    const bill = await group(2);
    const key = { 'idempotency-key': randomUUID() };
    const order = { customer_email: ana.email, slot_ids: [slotIds(bill)[0]] };
    const served = await server.post(at(bill, '/pay'), order, key);
    const browser = await openBrowserRequests(bill);
    const guessed = await browser.post(at(bill, '/pay'), { ...order, customer_email: ben.email }, key);
    expectError(guessed, 409, 'no_payable_slots');
    const repeated = await server.post(at(bill, '/pay'), order, key);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    expect(repeated.body).toEqual(served.body);
  });
});

describe('a bill whose tokens are revoked in the dashboard', () => {
  it('a bill whose tokens are revoked refuses all of them at once, no other token, and accepts newer ones', async () => {
    const [bill, other] = [await group(2), await group(1)];
    const bystander = await openBrowserRequests(other);
    const [one, limited] = [
      await openBrowserRequests(bill),
      await openBrowserRequests(bill, { customer_email: ana.email }),
    ];
    const key = { 'idempotency-key': randomUUID() };
    const order = { customer_email: ana.email, slot_ids: [slotIds(bill)[0]] };
    const started = await one.post(at(bill, '/pay'), order, key);
    expect([started.status, (await limited.get(at(bill))).status]).toEqual([201, 200]);

    const dashboard = await openDashboard(stack, findMerchant(stack, 'gateway_b'));
    const revoked = await dashboard.post(`group-payments/${bill.group_payment.id}/revoke-sessions`, {
      mode: 'test',
    });
    expect(revoked).toMatchObject({ status: 200, body: { epoch: 1 } });
    await eventually(async () => (await one.get(at(bill))).status === 401 || undefined);
    const card = (await buildConfirmRequest(stack, started.body as Pay, ana)) as Json;
    for (const refused of [
      await one.get(at(bill)),
      await limited.get(at(bill)),
      await limited.post(at(bill, '/pay'), order),
      // An answer that a token once got is not repeated to it any more.
      await one.post(at(bill, '/pay'), order, key),
      await one.post(at(bill, '/confirm'), card),
    ])
      expectError(refused, 401, 'unauthorized', 'missing or invalid authentication');
    expect(await listSlotStates(bill)).toEqual(['assigned', 'unassigned']);
    expect((await bystander.get(at(other))).status).toBe(200);

    const newer = await openBrowserRequests(bill);
    expect((await newer.post(at(bill, '/confirm'), card)).body).toEqual({ status: 'preauthorised' });
  });

  it('a bill’s tokens cannot be revoked by another merchant or in the other mode: 404', async () => {
    const bill = await group(1);
    const browser = await openBrowserRequests(bill);
    const path = `group-payments/${bill.group_payment.id}/revoke-sessions`;
    for (const [gateway, mode] of [
      ['gateway_a', 'test'],
      ['gateway_b', 'live'],
    ] as const) {
      const dashboard = await openDashboard(stack, findMerchant(stack, gateway));
      await expect(dashboard.post(path, { mode })).rejects.toMatchObject({ answer: { status: 404 } });
    }
    expect((await browser.get(at(bill))).status).toBe(200);
  });
});

describe('a checkout link that is replaced', () => {
  it('a replaced link is unknown at once, its pages, tokens and streams end, payments stay, and the new link works (X13)', async () => {
    const bill = await group(2);
    const old = String((await server.get(at(bill))).body['checkout_url']);
    const renewed = await fetch(`${old}/session`, { method: 'POST' });
    const { token } = (await renewed.json()) as { token: string };
    const browser = openRequests(stack.api, token);
    const order = { customer_email: ana.email, slot_ids: [slotIds(bill)[0]] };
    expect((await browser.post(at(bill, '/pay'), order)).status).toBe(201);
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
    const stream = await fetch(new URL(at(bill, '/events'), old), { headers });
    expect(stream.status).toBe(200);
    const streamed = stream.text();

    const key = { 'idempotency-key': randomUUID() };
    const path = at(bill, '/roll-checkout-link');
    const rolled = await server.post(path, undefined, key);
    expect(rolled.status).toBe(200);
    const url = String(rolled.body['checkout_url']);
    expect(url).not.toBe(old);
    expect((await server.post(path, undefined, key)).body).toEqual(rolled.body);
    expect((await fetch(old)).status).toBe(404);
    expect((await fetch(`${old}/session`, { method: 'POST' })).status).toBe(404);
    expectError(await browser.get(at(bill)), 401, 'unauthorized');
    expect(await streamed).toContain('session_ended');
    expectError(
      await browser.post(at(bill, '/pay'), { ...order, slot_ids: [slotIds(bill)[1]] }),
      401,
      'unauthorized',
    );
    expect((await fetch(url)).status).toBe(200);
    expect(await listSlotStates(bill)).toEqual(['assigned', expect.stringMatching(/assigned/)]);
    expect((await (await openBrowserRequests(bill)).get(at(bill))).body).toMatchObject({ checkout_url: url });
  });

  it('a link is replaced by its merchant only, in its mode (X13)', async () => {
    const bill = await group(1);
    const { live_key } = findMerchant(stack, 'gateway_b');
    for (const stranger of [live_key, findMerchant(stack, 'gateway_a').test_key]) {
      const refused = await openRequests(stack.api, stranger).post(at(bill, '/roll-checkout-link'));
      expectError(refused, 404, 'not_found');
    }
    const link = (await server.get(at(bill))).body['checkout_url'];
    expect(link).toBe(bill.checkout_url);
    expect((await fetch(String(link))).status).toBe(200);
  });
});

async function listSlotStates(of: Group): Promise<string[]> {
  const { payment_slots } = (await server.get(at(of))).body as Group;
  return payment_slots.map(({ state }) => state);
}
