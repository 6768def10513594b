import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import type { Json } from '../../support/api.ts';
import { openOwnStack, type OwnStack } from '../../support/own-stack.ts';
import { openRequests, type Requests } from '../../support/requests.ts';
import { openSharedStack, type SharedStack } from '../../support/shared-stack.ts';
import { findMerchant } from '../../support/stack.ts';
import { report } from '../long-run.ts';
import { openNameServer, type NameServer } from './name-server.ts';
import { disguises, inner, literals, seeming } from './targets.ts';
import { listOwnAddresses, openTrap, type Trap } from './trap.ts';

/** A global unicast address that is not assigned: a connection to it fails at once. */
const NOWHERE = '2d00::1';
const names = new Map<string, (nth: number) => readonly string[]>();

let trap: Trap;
let nameServer: NameServer;
let own: OwnStack;
let server: Requests;

beforeAll(async () => {
  trap = await openTrap();
  nameServer = await openNameServer((name, nth) => names.get(name)?.(nth) ?? []);
  own = await openOwnStack({
    // As an installation has it.
    GP_SET_ALLOW_LOOPBACK_WEBHOOKS: '',
    GP_SET_RETRY_LADDER_MS: '1200,1200',
    GP_SET_TEST_NAME_SERVER: nameServer.address,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'use-name-server.mjs')}`,
  });
  server = openRequests(own.stack.api, findMerchant(own.stack, 'gateway_b').test_key);
}, 240_000);
afterAll(async () => {
  await own?.close();
  await nameServer?.close();
  await trap?.close();
});

/** Sends a request without the client's check: some of these addresses are no URI by any description. */
async function create(url: string): Promise<{ status: number; body: Json }> {
  const { test_key } = findMerchant(own.stack, 'gateway_b');
  const answer = await fetch(`${own.stack.api}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${test_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  });
  return { status: answer.status, body: (await answer.json()) as Json };
}

/** Makes an endpoint, sends it an event and returns how its attempts ended, all tries of the ladder. */
async function deliverTo(url: string): Promise<string[]> {
  const { body, status } = await create(url);
  if (status !== 201) throw new Error(`${url} was refused: ${JSON.stringify(body)}`);
  const path = `/v1/webhooks/${String(body['id'])}`;
  await server.post(`${path}/test`, { event_type: 'group_payment.paid' });
  const attempts = await eventually(async () => {
    const { deliveries } = (await server.get(`${path}/deliveries`)).body as { deliveries: Json[] };
    const [delivery] = deliveries;
    return delivery?.['state'] === 'failed' ? (delivery['attempts'] as Json[]) : undefined;
  });
  await server.delete(path);
  return attempts.map(({ error_class }) => String(error_class));
}

it('an address inside is refused in every spelling when an endpoint is made or changed (F7)', async () => {
  const urls = [
    ...literals.map((literal) => `https://${literal}:${trap.port}/`),
    ...inner.map((address) => `https://${address.includes(':') ? `[${address}]` : address}:${trap.port}/`),
    ...disguises.map((disguise) => disguise.replace('{port}', String(trap.port))),
  ].filter((url) => !/\/\/(127\.0\.0\.1|\[::1\]):\d+\/$/.test(url));
  const standing = String((await create('https://hooks.example/')).body['id']);
  const found = await Promise.all(
    urls.map(async (url) => {
      const made = await create(url);
      const changed = await server.patch(`/v1/webhooks/${standing}`, { url });
      return [made, changed].map(({ status, body }) => `${url}: ${status} ${String(body['param'])}`);
    }),
  );
  expect(found.flat().filter((answer) => !answer.endsWith(': 400 url'))).toEqual([]);
  report('webhook addresses refused at once', urls.length);
  expect(trap.reached).toEqual([]);
});

describe('a name', () => {
  it('a webhook address that leads inside is called by no attempt (F7)', async () => {
    const targets = [...inner, ...listOwnAddresses()];
    targets.forEach((address, index) => names.set(`inside-${index}.attack.example`, () => [address]));
    names.set('both.attack.example', () => ['1.1.1.1', '127.0.0.1']);
    names.set('both6.attack.example', () => [NOWHERE, '::1']);
    const hosts = [...names.keys(), '127.0.0.1', 'localhost', 'localhost.', 'x.localhost'];
    const urls = [
      ...hosts.map((host) => `https://${host}:${trap.port}/`),
      ...seeming.map((url) => url.replace('{port}', String(trap.port))),
    ];
    const ended = await Promise.all(urls.map(async (url) => [url, await deliverTo(url)] as const));
    const reachable = ended.filter(([, errors]) => errors.some((error) => error !== 'address_blocked'));
    expect(reachable.map(([url, errors]) => `${url}: ${errors.join()}`)).toEqual([]);
    expect(ended.every(([, errors]) => errors.length === 3)).toBe(true);
    report('names that lead inside, each tried three times', urls.length);
    expect(trap.reached).toEqual([]);
  }, 240_000);

  it('a webhook address that leads elsewhere after the first look-up is not followed (F7)', async () => {
    const turns = [
      (nth: number) => (nth === 0 ? [NOWHERE] : ['127.0.0.1', '::1']),
      (nth: number) => (nth % 2 === 0 ? [NOWHERE] : ['::1']),
      (nth: number) => (nth < 2 ? [NOWHERE] : ['127.0.0.1']),
      (nth: number) => [NOWHERE, ...(nth > 0 ? ['::ffff:127.0.0.1'] : [])],
    ];
    turns.forEach((turn, index) => names.set(`rebind-${index}.attack.example`, turn));
    const ended = await Promise.all(
      turns.map((_, index) => deliverTo(`https://rebind-${index}.attack.example:${trap.port}/`)),
    );
    // The first look-up was good, so these names got as far as a connection to nowhere before they turned.
    expect(ended.flat()).toContain('address_blocked');
    expect(nameServer.asked.some((question) => question.includes('rebind-0'))).toBe(true);
    expect(trap.reached).toEqual([]);
  }, 240_000);
});

describe('where loopback is allowed', () => {
  let shared: SharedStack;
  beforeAll(async () => void (shared = await openSharedStack({ merchants: ['gateway_b'] })), 240_000);
  afterAll(() => shared?.close());

  it('a redirect is followed to no place, and the trap does count who comes (F7)', async () => {
    const merchant = openRequests(shared.stack.api, findMerchant(shared.stack, 'gateway_b').test_key);
    const codes = [301, 302, 303, 307, 308];
    let answered = 0;
    const redirecting = createServer((request, response) => {
      request.resume();
      const location = `http://127.0.0.1:${trap.port}/`;
      response.writeHead(codes[answered++ % codes.length] ?? 302, { location }).end();
    });
    redirecting.listen(0, '127.0.0.1');
    await once(redirecting, 'listening');
    const { port } = redirecting.address() as AddressInfo;
    const test = async (url: string) => {
      const { id } = (await merchant.post('/v1/webhooks', { url })).body;
      await merchant.post(`/v1/webhooks/${String(id)}/test`, { event_type: 'group_payment.paid' });
    };
    for (const _ of codes) await test(`http://127.0.0.1:${port}/`);
    await eventually(() => answered >= codes.length || undefined);
    expect(trap.reached).toEqual([]);
    await test(`http://127.0.0.1:${trap.port}/`);
    await eventually(() => trap.reached.length > 0 || undefined);
    trap.reached.length = 0;
    redirecting.closeAllConnections();
    redirecting.close();
  });
});
