import { randomUUID } from 'node:crypto';
import { merchantApi, send, sendUntilAnswered, type Group, type Json, type Pay } from '../support/api.ts';
import { openDashboard, tokenMailedTo, type DashboardClient } from '../support/dashboard.ts';
import { booksShow, newGroup, payer } from '../support/journey.ts';
import type { OwnStack } from '../support/own-stack.ts';
import { authorise, buildConfirmRequest } from '../support/payer.ts';
import { must, until } from './must.ts';

const SHOP = 'https://shop.example';

/**
 * A merchant signs up, gets a key, connects gateways and registers a page. Browsers with a session token pay a bill
 * on both gateways, one of which is away when the last hold comes. In the end the token is revoked, a bill cancelled and
 * the other refunded.
 */
export async function signedUpMerchant(own: OwnStack): Promise<void> {
  const { stack } = own;
  const dashboard = await signedUp(own);
  const [key] = [await newKey(dashboard, 'test'), await connected(own, dashboard)];
  const api = merchantApi(stack.api, key);
  await until('the key is known', async () => (await status(own, key)) === 200);

  const group = await newGroup(api, 2);
  const { id } = group.group_payment;
  const token = await minted(own, key, id);
  await pageIsRegistered(own, dashboard, token);
  await paidByToken(own, { dashboard, group, token, api });
  await api.becomes(id, ['paid'], 90_000);
  await revoked(own, { dashboard, key, id, token });
  await keyIsSeen(own, dashboard);
  await moneyMovedByHand(dashboard, api, id);
}

/** People cancel and refund at the dashboard; asked twice because the first answer was lost, it is done once. */
async function moneyMovedByHand(
  dashboard: DashboardClient,
  api: ReturnType<typeof merchantApi>,
  paidId: string,
): Promise<void> {
  const { id } = (await newGroup(api, 2)).group_payment;
  await dashboard.post(`test/group-payments/${id}/cancel`, {}, randomUUID());
  await api.becomes(id, ['cancelled'], 90_000);
  await dashboard.post(`test/group-payments/${paidId}/refund`, {}, randomUUID());
  await api.becomes(paidId, ['refunded'], 90_000);
}

/** A user without an answer to the sign-up requests another mail, and tries to log in. */
async function signedUp({ stack }: OwnStack): Promise<DashboardClient> {
  const person = { email: `${randomUUID()}@shop.example`, password: randomUUID() };
  const wanted = { ...person, merchant_name: 'Newcomer' };
  await until('signed up', async () => {
    await send('POST', `${stack.dashboard}/api/signup`, wanted);
    const token = await tokenMailedTo(stack, person.email);
    if (token !== undefined) await send('POST', `${stack.dashboard}/api/signup/confirm`, { token });
    return (await send('POST', `${stack.dashboard}/api/login`, person)).status === 200;
  });
  return openDashboard(stack, person);
}

async function newKey(dashboard: DashboardClient, mode: string): Promise<string> {
  return String((await dashboard.post('keys', { mode, name: 'server' })).body['key']);
}

async function connected(own: OwnStack, dashboard: DashboardClient): Promise<void> {
  const { callbacks } = own.opened.ports;
  await connect(own, dashboard, { psp_code: 'gateway_a', port: callbacks.gateway_a });
  await connect(own, dashboard, { psp_code: 'gateway_b', port: callbacks.gateway_b });
  await dashboard.put('gateways/active', { mode: 'test', psp_code: 'gateway_b' });
}

const accounts = new WeakMap<DashboardClient, Map<string, Json>>();

/** Connects an account at the sandbox; the second time the same one again. */
async function connect(
  { stack }: OwnStack,
  dashboard: DashboardClient,
  { psp_code, port }: { psp_code: string; port: number },
): Promise<void> {
  const known = accounts.get(dashboard) ?? new Map<string, Json>();
  accounts.set(dashboard, known);
  const account = { name: randomUUID(), webhook_url: `http://127.0.0.1:${port}/callbacks/${psp_code}` };
  const credentials =
    known.get(psp_code) ??
    (await sendUntilAnswered('POST', `${stack.sandbox}/control/${psp_code}/accounts`, account)).body;
  known.set(psp_code, credentials);
  await dashboard.post('gateways', { mode: 'test', psp_code, credentials });
}

async function status({ stack }: OwnStack, bearer: string, headers: Json = {}): Promise<number> {
  const authorization = `Bearer ${bearer}`;
  return (await send('GET', `${stack.api}/v1/group-payments`, undefined, { authorization, ...headers }))
    .status;
}

async function minted({ stack }: OwnStack, key: string, groupId: string): Promise<string> {
  const url = `${stack.api}/v1/group-payments/${groupId}/session`;
  const answer = await sendUntilAnswered('POST', url, {}, { authorization: `Bearer ${key}` });
  return String(answer.body['token']);
}

const reads = ({ stack }: OwnStack, token: string, groupId: string, headers: Json = {}) =>
  send('GET', `${stack.api}/v1/group-payments/${groupId}`, undefined, {
    authorization: `Bearer ${token}`,
    ...headers,
  });

async function pageIsRegistered(own: OwnStack, dashboard: DashboardClient, token: string): Promise<void> {
  await dashboard.put('origins', { mode: 'test', origins: [SHOP] });
  await until('the page may read', async () => {
    const answer = await reads(own, token, randomUUID(), { origin: SHOP });
    return answer.headers.get('access-control-allow-origin') === SHOP;
  });
}

/** The last hold comes while the account of the first is disconnected: it is captured when that is back (B11). */
async function paidByToken(
  own: OwnStack,
  o: { dashboard: DashboardClient; group: Group; token: string; api: ReturnType<typeof merchantApi> },
): Promise<void> {
  const { stack } = own;
  const { dashboard, group } = o;
  const { id } = group.group_payment;
  const headers = { authorization: `Bearer ${o.token}`, origin: SHOP };
  const pay = async (index: number): Promise<Pay> => {
    const body = {
      customer_email: `payer${index}@payers.example`,
      slot_ids: [group.payment_slots[index]?.id],
    };
    const url = `${stack.api}/v1/group-payments/${id}/pay`;
    const once = { ...headers, 'idempotency-key': randomUUID() };
    return (await sendUntilAnswered('POST', url, body, once)).body as Pay;
  };
  const [ana, ben] = [payer('ana'), payer('ben')];
  const first = await pay(0);
  const card = await buildConfirmRequest(stack, first, ana);
  await sendUntilAnswered('POST', `${stack.api}/v1/group-payments/${id}/confirm`, card, headers);
  await dashboard.put('gateways/active', { mode: 'test', psp_code: 'gateway_a' });
  await dashboard.remove('gateways/gateway_b?mode=test');
  const second = await pay(1);
  await authorise(stack, o.api, id, second, ben);
  await o.api.becomes(id, ['preauthorised'], 90_000);
  must('gateways', [first.psp_code, second.psp_code], ['gateway_b', 'gateway_a']);
  await connect(own, dashboard, { psp_code: 'gateway_b', port: own.opened.ports.callbacks.gateway_b });
  for (const paid of [first, second]) {
    const booked = await booksShow(stack, paid, 'captured', 90_000);
    must('captured amount', Number(booked.captured_minor), 1_000);
  }
}

async function revoked(
  own: OwnStack,
  o: { dashboard: DashboardClient; key: string; id: string; token: string },
): Promise<void> {
  must('a token that is valid', (await reads(own, o.token, o.id)).status, 200);
  await o.dashboard.post(`group-payments/${o.id}/revoke-sessions`, { mode: 'test' });
  await until('the token is refused', async () => (await reads(own, o.token, o.id)).status === 401);
  const next = await minted(own, o.key, o.id);
  await until('a new token is taken', async () => (await reads(own, next, o.id)).status === 200);
}

/** A secret key that a browser sends is shown to its merchant (Q29). */
async function keyIsSeen(own: OwnStack, dashboard: DashboardClient): Promise<void> {
  const live = await newKey(dashboard, 'live');
  await until('the live key is seen in a browser', async () => {
    await status(own, live, { origin: SHOP });
    const { keys } = (await dashboard.get('keys?mode=live')).body as {
      keys: { seen_in_browsers: unknown[] }[];
    };
    return keys.some(({ seen_in_browsers }) => seen_in_browsers.length > 0);
  });
}
