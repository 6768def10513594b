import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import type { Group, MerchantApi } from '../support/api.ts';
import { openEndpoint, type Endpoint } from '../support/endpoint.ts';
import { booksShow, inSeconds, newGroup, openApi, payer, paySlot } from '../support/journey.ts';
import { expectError, openRequests, type Requests } from '../support/requests.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant, type StackFile } from '../support/stack.ts';

const HOUR_S = 3_600;
const UPDATED = 'group_payment.updated';

let shared: SharedStack;
let stack: StackFile;
/** One that named no types, and one that named a type of before. */
let endpoint: Endpoint;
let picky: Endpoint;
let api: MerchantApi;
let http: Requests;

beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_a', 'gateway_b'] });
  stack = shared.stack;
  const merchant = findMerchant(stack, 'gateway_a');
  [api, http] = [openApi(stack, merchant), openRequests(stack.api, merchant.test_key)];
  [endpoint, picky] = [await openEndpoint(), await openEndpoint()];
  await http.post('/v1/webhooks', { url: endpoint.url });
  await http.post('/v1/webhooks', { url: picky.url, event_types: ['payment_intent.preauthorised'] });
});
afterAll(async () => {
  await endpoint?.close();
  await picky?.close();
  await shared?.close();
});

const getId = (group: Group): string => group.group_payment.id;
const findState = async (group: Group) => (await api.findGroup(getId(group))).group_payment.state;

/** The end of collecting as an open page of a payer is told it. */
async function readExpiryOnPage(group: Group): Promise<unknown> {
  const { token } = await api.client.createSession(getId(group));
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  const url = `${stack.checkout}/v1/group-payments/${getId(group)}/events`;
  return ((await (await fetch(url, { headers })).json()) as { expires_at: string }).expires_at;
}

describe('an update of a group payment', () => {
  it('a new name, new metadata and a later expiry are shown, reach the page, and are announced to those who hear all (C9)', async () => {
    const group = await newGroup(api, 2, { metadata: { table: 7 } });
    await paySlot(stack, api, group, 0, payer('ana'));
    await api.becomes(getId(group), ['partially_preauthorised']);
    const expires_at = inSeconds(30 * HOUR_S);
    const metadata = { table: '8', note: 'moved' };
    const changed = await api.client.updateGroupPayment(getId(group), {
      group_name: 'Lunch',
      metadata,
      expires_at,
    });
    expect(changed.group_payment).toMatchObject({
      group_name: 'Lunch',
      metadata,
      expires_at,
      state: 'partially_preauthorised',
    });
    expect(await api.findGroup(getId(group))).toEqual(changed);
    expect(await readExpiryOnPage(group)).toBe(expires_at);
    const { event } = await endpoint.accepted(UPDATED, getId(group));
    expect(event.data).toMatchObject({
      state: 'partially_preauthorised',
      group_name: 'Lunch',
      expires_at,
      metadata,
    });
    await paySlot(stack, api, group, 1, payer('ben'));
    await api.becomes(getId(group), ['paid']);
    expect((await endpoint.accepted('group_payment.paid', getId(group))).event.data).toMatchObject({
      metadata,
    });
    await eventually(() => picky.deliveries.length >= 2 || undefined);
    expect(new Set(picky.deliveries.map(({ event }) => event.type))).toEqual(
      new Set(['payment_intent.preauthorised']),
    );
    const invoice = { invoice: 'R-2026-1' };
    expect(
      (await api.client.updateGroupPayment(getId(group), { metadata: invoice })).group_payment,
    ).toMatchObject({ state: 'paid', metadata: invoice });
  });

  it('an expiry that is earlier, too late, or of a group that is over is refused and changes nothing (C9)', async () => {
    const group = await newGroup(api, 1);
    const path = `/v1/group-payments/${getId(group)}`;
    for (const expires_at of [inSeconds(60), inSeconds(169 * HOUR_S)])
      expectError(await http.patch(path, { expires_at, group_name: 'No' }), 400, 'validation_error');
    await api.client.cancelGroupPayment(getId(group));
    expectError(
      await http.patch(path, { expires_at: inSeconds(9 * HOUR_S), group_name: 'No' }),
      409,
      'group_not_payable',
    );
    expect((await api.findGroup(getId(group))).group_payment).toMatchObject({
      group_name: 'Journey',
      expires_at: group.group_payment.expires_at,
    });
  });

  it('a repeated update under one key is one update, and another merchant cannot update (Q12, S9)', async () => {
    const group = await newGroup(api, 1);
    const path = `/v1/group-payments/${getId(group)}`;
    const headers = { 'idempotency-key': `update-${getId(group)}` };
    const [first, second] = await Promise.all(
      [1, 2].map(() => http.patch(path, { group_name: 'Twice' }, headers)),
    );
    expect([first?.status, second?.status, second?.body]).toEqual([200, 200, first?.body]);
    await endpoint.accepted(UPDATED, getId(group));
    const { events } = await api.client.listEvents({ type: UPDATED, group_payment_id: getId(group) });
    expect(events).toHaveLength(1);
    const stranger = openRequests(stack.api, findMerchant(stack, 'gateway_b').test_key);
    expectError(await stranger.patch(path, { group_name: 'Mine' }), 404, 'not_found');
  });
});

// Last: it moves the merchant's clock.
describe('time after a later expiry', () => {
  it('a group outlives its old expiry, keeps its hold, and expires at the new one with the hold released (C9)', async () => {
    const group = await newGroup(api, 2);
    const pay = await paySlot(stack, api, group, 0, payer('ana'));
    await api.becomes(getId(group), ['partially_preauthorised']);
    await api.client.updateGroupPayment(getId(group), { expires_at: inSeconds(6 * HOUR_S) });
    await api.advanceClock(2 * HOUR_S);
    expect(await findState(group)).toBe('partially_preauthorised');
    await booksShow(stack, pay, 'authorised');
    await api.advanceClock(5 * HOUR_S);
    expect(await findState(group)).toBe('expired');
    expect(Number((await booksShow(stack, pay, 'voided')).captured_minor)).toBe(0);
  });
});
