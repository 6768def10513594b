import { setTimeout as delay } from 'node:timers/promises';
import { pspCodes } from '@gp/gateway-registry';
import { TimeoutError } from '@gp/testing';
import { send, type Json, type Pay } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import type { Endpoint } from '../support/endpoint.ts';
import { openApi, booksShow, inSeconds, newGroup, payer, paySlot } from '../support/journey.ts';
import type { OwnStack } from '../support/own-stack.ts';
import { buildConfirmRequest } from '../support/payer.ts';
import { refundUntilAnswered } from '../support/refund.ts';
import { openRequests } from '../support/requests.ts';
import { findMerchant, type Merchant } from '../support/stack.ts';
import { switchGateway } from '../support/switch-gateway.ts';

/** Values that people and programs put in everywhere; none of them may be on a span. */
export const PLANTED = {
  email: 'planted.person@payers.example',
  name: 'Planta Persona',
  metadata: 'planted-metadata',
  key: 'planted-idempotency-key',
  path: 'planted-in-the-path@payers.example',
  query: 'planted-in-the-query',
  hook: 'planted-in-the-webhook-address',
  holder: 'Planta Titular',
  group: 'Planted group name',
} as const;

/** The trace of a stranger who would like to join ours. */
export const STRANGER = 'a'.repeat(32);

export type Entry = {
  readonly kind: string;
  readonly what: string;
  readonly trace_id: string | null;
  readonly payment_intent_id: string | null;
};
export type Life = { readonly pay: Pay; readonly groupId: string; readonly timeline: readonly Entry[] };

/** One bill, three payers, each over another gateway: paid, delivered as webhooks, refunded. */
export async function payOverAll(own: OwnStack, endpoint: Endpoint): Promise<Life[]> {
  const { stack } = own;
  const merchant = findMerchant(stack, 'multi');
  const api = openApi(stack, merchant);
  await api.createWebhook(`${endpoint.url}?token=${PLANTED.hook}`);
  const group = await newGroup(api, pspCodes.length, {
    group_name: PLANTED.group,
    metadata: { note: PLANTED.metadata },
  });
  const { id } = group.group_payment;
  const who = { ...payer('planted'), email: PLANTED.email, name: PLANTED.name };
  const pays: Pay[] = [];
  for (const [index, gateway] of pspCodes.entries()) {
    await switchGateway(stack, merchant, gateway);
    pays.push(await paySlot(stack, api, group, index, who));
  }
  await api.becomes(id, ['paid']);
  await endpoint.accepted('group_payment.paid', id);
  await refundUntilAnswered(openRequests(stack.api, merchant.test_key), id, PLANTED.key);
  const timeline = await fetchTimeline(own, merchant, id);
  return pays.map((pay) => ({ pay, groupId: id, timeline }));
}

/** A payment whose gateway has the given fault; it ends captured all the same. */
export async function payWithFault(own: OwnStack, gateway: string, sandbox_fault: string): Promise<Life> {
  const { stack } = own;
  const merchant = findMerchant(stack, gateway);
  const api = openApi(stack, merchant);
  const group = await newGroup(api, 1, { metadata: { sandbox_fault } });
  const { id } = group.group_payment;
  const pay = await api.pay(id, { customer_email: PLANTED.email });
  const card = await buildConfirmRequest(stack, pay, { ...payer('planted'), name: PLANTED.holder });
  // Not knowing is an answer, and what it becomes is the platform's business.
  await openRequests(stack.api, merchant.test_key).post(`/v1/group-payments/${id}/confirm`, card);
  await api.becomes(id, ['paid']);
  return { pay, groupId: id, timeline: await fetchTimeline(own, merchant, id) };
}

/** A payment whose group expires before the others have paid, by the test clock; its hold is released. */
export async function letExpire(own: OwnStack): Promise<Life> {
  const { stack } = own;
  const merchant = findMerchant(stack, 'gateway_a');
  const api = openApi(stack, merchant);
  const group = await newGroup(api, 2, { expires_at: inSeconds(600) });
  const { id } = group.group_payment;
  const pay = await paySlot(stack, api, group, 0, payer('early'));
  await api.slotBecomes(id, 0, 'preauthorised');
  await api.advanceClock(700);
  await api.becomes(id, ['expired']);
  await booksShow(stack, pay, 'voided');
  return { pay, groupId: id, timeline: await fetchTimeline(own, merchant, id) };
}

/** Refused requests that are full of private data, by a client with a trace of its own. */
export async function intrude({ stack }: OwnStack): Promise<void> {
  const { test_key } = findMerchant(stack, 'gateway_a');
  const headers: Json = {
    authorization: `Bearer ${test_key}`,
    traceparent: `00-${STRANGER}-${'b'.repeat(16)}-01`,
    'idempotency-key': PLANTED.key,
  };
  for (const path of ['/v1/group-payments/', '/nowhere/'])
    await send('GET', `${stack.api}${path}${PLANTED.path}?q=${PLANTED.query}`, undefined, headers);
  await send(
    'POST',
    `${stack.api}/v1/group-payments`,
    { group_name: PLANTED.group, x: PLANTED.email },
    headers,
  );
  await fetch(`${stack.checkout}/c/${PLANTED.path}?q=${PLANTED.query}`).then((page) => page.body?.cancel());
}

/** The pages of a group that a merchant's members read, once its webhooks are delivered. */
async function fetchTimeline({ stack }: OwnStack, merchant: Merchant, id: string): Promise<Entry[]> {
  const dashboard = await openDashboard(stack, merchant);
  for (const giveUpAt = Date.now() + 30_000; ; await delay(200)) {
    const { body } = await dashboard.get(`test/group-payments/${id}`);
    if (body['is_webhooks_missing'] === false) return body['timeline'] as Entry[];
    if (Date.now() > giveUpAt) throw new TimeoutError('the timeline stays without webhooks');
  }
}
