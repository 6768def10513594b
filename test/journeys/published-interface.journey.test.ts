import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { each, openClient, type Client } from '@group-payments/client';
import { verifyWebhook, type WebhookEvent } from '@group-payments/client/webhooks';
import { freePort } from '@gp/testing';
import { openEndpoint, type Endpoint } from '../support/endpoint.ts';
import { inSeconds, payer } from '../support/journey.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { buildConfirmRequest } from '../support/payer.ts';
import { findMerchant, root } from '../support/stack.ts';

let shared: SharedStack;
let proxy: ChildProcess;
let endpoint: Endpoint;
let client: Client;
/** The proxy's findings about requests or answers. */
const violations: string[] = [];
let proxied = 0;

beforeAll(async () => {
  shared = await openSharedStack({ merchants: ['gateway_b'] });
  const port = await freePort();
  proxy = await openProxy(port, shared.stack.api);
  endpoint = await openEndpoint();
  client = openClient({
    key: findMerchant(shared.stack, 'gateway_b').test_key,
    baseUrl: `http://127.0.0.1:${port}`,
    async fetch(url, init) {
      const answer = await fetch(url, init);
      proxied++;
      const found = answer.headers.get('sl-violations');
      if (found !== null) violations.push(`${init?.method ?? 'GET'} ${url as string}: ${found}`);
      return answer;
    },
  });
}, 180_000);
afterAll(async () => {
  if (proxy?.exitCode === null) {
    proxy.kill();
    await once(proxy, 'exit');
  }
  await endpoint?.close();
  await shared?.close();
});

/** Prism between the client and the platform: it judges both sides by openapi.json. */
async function openProxy(port: number, upstream: string): Promise<ChildProcess> {
  const prism = join(root, 'node_modules/@stoplight/prism-cli/dist/index.js');
  const document = join(root, 'libs/reference/openapi.json');
  const args = [prism, 'proxy', document, upstream, '--port', String(port), '--host', '127.0.0.1'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('Prism is listening')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the proxy ended with ${code}`)));
  });
  return child;
}

it('a whole payment through a proxy that validates every request and response by openapi.json has no violation', async () => {
  const { secret, id: hook } = await client.createWebhook({ url: endpoint.url });
  const created = await client.createGroupPayment({
    group_name: 'Proxied',
    total_amount: 20.01,
    currency: 'EUR',
    expires_at: inSeconds(3_600),
    metadata: { table: 4 },
    distribution: { type: 'equally', number_of_slots: 2 },
  });
  const { id } = created.group_payment;
  expect(created.payment_slots.map(({ amount }) => amount)).toEqual([10.01, 10]);
  for (const [index, slot] of created.payment_slots.entries()) {
    const who = payer(`proxied${index}`);
    const started = await client.payGroupPayment(id, { customer_email: who.email, slot_ids: [slot.id] });
    const confirmation = await buildConfirmRequest(
      shared.stack,
      { ...started, slot_ids: [...started.slot_ids] },
      who,
    );
    expect(await client.confirmPayment(id, confirmation)).toEqual({ status: 'preauthorised' });
  }
  const { raw, headers } = await endpoint.accepted('group_payment.paid', id);
  const event: WebhookEvent = await verifyWebhook({
    rawBody: raw,
    signature: headers['service-signature']?.toString(),
    secret,
  });
  expect(event.data).toMatchObject({ group_payment_id: id, state: 'paid' });
  expect((await client.getGroupPayment(id)).group_payment.state).toBe('paid');
  const seen: string[] = [];
  const groups = each(
    (page) => client.listGroupPayments({ ...page, limit: 1 }),
    ({ group_payments }) => group_payments,
  );
  for await (const group of groups) seen.push(group.id);
  expect(seen).toContain(id);
  await expect(client.payGroupPayment(id, { customer_email: 'late@payers.example' })).rejects.toMatchObject({
    status: 409,
  });
  await client.updateWebhook(hook, { description: null, enabled: false });
  expect((await client.listWebhookDeliveries(hook)).deliveries.length).toBeGreaterThan(0);
  await client.deleteWebhook(hook);
  expect(proxied).toBeGreaterThan(10);
  expect(violations).toEqual([]);
});

/** The code that the client's README shows, unchanged. */
type Example = {
  openBill(order: { id: string; expires_at: string }): Promise<{ id: string; checkout_url: string }>;
  pay(
    id: string,
    customer_email: string,
    attemptId: string,
  ): Promise<{ payment_intent_id: string; slot_ids: string[] } | undefined>;
  sumPaidCents(): Promise<number>;
  refund(id: string, refundId: string): Promise<unknown>;
};

it('the example in the client’s README works as described', async () => {
  const { stack } = shared;
  process.env['GROUP_PAYMENTS_KEY'] = findMerchant(stack, 'gateway_b').test_key;
  process.env['GROUP_PAYMENTS_URL'] = stack.api;
  const file = join(root, 'libs/client/test/example.ts');
  const example = (await import(pathToFileURL(file).href)) as Example;
  const before = await example.sumPaidCents();
  const { secret } = await client.createWebhook({ url: endpoint.url });

  const { id, checkout_url } = await example.openBill({ id: 'order-reader', expires_at: inSeconds(3_600) });
  const [group] = (await client.listGroupPayments({ limit: 1 })).group_payments;
  expect(group).toMatchObject({ id, checkout_url, total_amount: 90, client_reference: 'order-reader' });
  const who = payer('reader');
  const started = await example.pay(id, who.email, 'reader-1');
  expect(started?.slot_ids).toHaveLength(3);
  expect(await example.pay(id, 'late@payers.example', 'late-1')).toBeUndefined();
  // The same attempt again is the same payment: the attempt's id is its Idempotency-Key.
  expect(await example.pay(id, who.email, 'reader-1')).toEqual(started);
  await client.confirmPayment(id, await buildConfirmRequest(stack, started as never, who));

  const { raw, headers } = await endpoint.accepted('group_payment.paid', id);
  expect(await verifyWebhook({ rawBody: raw, headers, secret })).toMatchObject({
    type: 'group_payment.paid',
  });
  await expect(verifyWebhook({ rawBody: `${raw} `, headers, secret })).rejects.toThrow('signature');
  expect(await example.sumPaidCents()).toBe(before + 9_000);
  expect(await example.refund(id, 'refund-reader')).toEqual([]);
});
