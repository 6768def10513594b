import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import type { Group } from '../support/api.ts';
import { openEndpoint, type Endpoint } from '../support/endpoint.ts';
import { newGroup, openApi } from '../support/journey.ts';
import { openRequests } from '../support/requests.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { findMerchant, type StackFile } from '../support/stack.ts';

let shared: SharedStack;
let stack: StackFile;
let receiver: Endpoint;
beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_b', 'gateway_a'] });
  stack = shared.stack;
  receiver = await openEndpoint();
});
afterAll(async () => {
  await receiver?.close();
  await shared?.close();
});

const NAME = 'Anastasia the Shown';
const server = (gateway: string) => openRequests(stack.api, findMerchant(stack, gateway).test_key);
const at = ({ group_payment }: Group, suffix = '') => `/v1/group-payments/${group_payment.id}${suffix}`;
const mint = async (of: Group, gateway = 'gateway_b') =>
  String((await server(gateway).post(at(of, '/session'), {})).body['token']);
/** The live picture of a group, to the holder of a token. */
const look = async (of: Group, token: string) => {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const answer = await fetch(stack.checkout + at(of, '/events'), { headers });
  return { status: answer.status, text: await answer.text() };
};
const hide = (of: Group, payment: string, token: string) =>
  fetch(`${stack.checkout}${at(of, `/payments/${payment}/shown-name`)}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });

it('a shown name reaches whoever has the link of its group, and never the holder of another link, the API of browsers or a webhook; the payer’s browser takes it back (Q97, Q98, Q99, S9)', async () => {
  const api = openApi(stack, findMerchant(stack, 'gateway_b'));
  const foreignApi = openApi(stack, findMerchant(stack, 'gateway_a'));
  await server('gateway_b').post('/v1/webhooks', { url: receiver.url });
  const [mine, beside] = [await newGroup(api, 2), await newGroup(api, 2)];
  const foreign = await newGroup(foreignApi, 1);
  const paid = await api.client.createTestPayment(mine.group_payment.id, {
    customer_email: 'ana@payers.example',
    customer_name: NAME,
    show_name: true,
    slot_ids: [mine.payment_slots[0]?.id ?? ''],
  });
  expect(paid).toMatchObject({ state: 'preauthorised', shown_name: NAME });
  const [token, besideToken] = [await mint(mine), await mint(beside)];
  const foreignToken = await mint(foreign, 'gateway_a');

  expect(JSON.parse((await look(mine, token)).text)).toMatchObject({
    slots: [{ state: 'preauthorised', shown_name: NAME }, { state: 'unassigned' }],
  });
  expect(await (await fetch(mine.checkout_url)).text()).toContain(NAME);

  for (const other of [besideToken, foreignToken]) {
    const refused = await look(mine, other);
    expect(refused.status).toBe(404);
    expect(refused.text).not.toContain(NAME);
    expect((await hide(mine, paid.payment_intent_id, other)).status).toBe(404);
  }
  expect((await hide(beside, paid.payment_intent_id, besideToken)).status).toBe(404);
  for (const [of, holder] of [
    [beside, besideToken],
    [foreign, foreignToken],
  ] as const) {
    expect((await look(of, holder)).text).not.toContain(NAME);
    expect(await (await fetch(of.checkout_url)).text()).not.toContain(NAME);
  }
  const browser = openRequests(stack.api, token);
  expect(JSON.stringify((await browser.get(at(mine))).body)).not.toContain(NAME);
  const { event } = await receiver.accepted('payment_intent.preauthorised', mine.group_payment.id);
  expect(JSON.stringify(event)).not.toContain(NAME);

  expect((await look(mine, token)).text).toContain(NAME);
  expect((await hide(mine, paid.payment_intent_id, token)).status).toBe(200);
  await eventually(async () => !(await look(mine, token)).text.includes(NAME) || undefined);
  expect(await (await fetch(mine.checkout_url)).text()).not.toContain(NAME);
  const { payments } = await api.client.listPayments(mine.group_payment.id);
  expect(payments[0]).toMatchObject({ customer_name: NAME });
  expect(payments[0]).not.toHaveProperty('shown_name');
});
