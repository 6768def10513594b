import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pspCodes } from '@gp/gateway-registry';
import { merchantApi } from '../support/api.ts';
import { inSeconds, newGroup, payer, paySlot } from '../support/journey.ts';
import { askLedger } from '../support/ledger.ts';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { brokenPromises } from '../support/promises.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { connectGateways, openRollout, type Rollout } from '../support/rollout.ts';
import { services } from '../support/services.ts';
import { findMerchant, type Merchant } from '../support/stack.ts';
import { switchGateway } from '../support/switch-gateway.ts';
import { steadyLoad, type SteadyLoad } from '../support/steady-load.ts';

/** The sandbox stands for gateways that are not ours to restart. */
const rolled = services.filter((name) => name !== 'psp-sandbox');
const REQUESTS_PER_SECOND = 20;

let own: OwnStack;
let merchant: Merchant;
let rollout: Rollout;
let receiver: Receiver;
let load: SteadyLoad;
const paid: string[] = [];
const broken: unknown[] = [];

beforeAll(async () => {
  own = await openOwnStack();
  rollout = await openRollout(own);
  await rollout.roll('gateway-c');
  merchant = findMerchant(own.stack, null);
  await connectGateways(rollout, merchant, pspCodes);
  receiver = await openReceiver();
  const endpoint = await api().createWebhook(receiver.url);
  receiver.trust(endpoint.secret);
  load = steadyLoad(asks(), REQUESTS_PER_SECOND);
}, 180_000);
afterAll(async () => {
  await load?.stop();
  await receiver?.close();
  await rollout?.close();
  await own?.close();
});

/** Payers and merchants have clients that try again; the steady load receives every answer unchanged. */
const api = () => merchantApi(rollout.url('api-gateway'), merchant.test_key);

function asks() {
  const headers = { authorization: `Bearer ${merchant.test_key}`, 'content-type': 'application/json' };
  const origin = rollout.url('api-gateway');
  const body = JSON.stringify({
    group_name: 'Steady',
    total_amount: 20,
    currency: 'EUR',
    expires_at: inSeconds(3_600),
    distribution: { type: 'equally', number_of_slots: 2 },
  });
  return [
    { method: 'POST', origin, path: '/v1/group-payments', headers, body },
    { method: 'GET', origin, path: '/v1/group-payments?limit=5', headers },
    { method: 'GET', origin: rollout.url('checkout'), path: '/.well-known/jwks.json' },
    { method: 'GET', origin: rollout.url('merchant-dashboard'), path: '/' },
  ] as const;
}

/** Pays one bill after the other, over every gateway in turn, until it is stopped and each had more than one turn. */
async function keepPaying(until: AbortSignal): Promise<void> {
  for (let turn = 0; !until.aborted || turn <= pspCodes.length; turn++) {
    await switchGateway(rollout.stack, merchant, pspCodes[turn % pspCodes.length] as string);
    const group = await newGroup(api(), 2);
    await Promise.all(
      [0, 1].map((slot) => paySlot(rollout.stack, api(), group, slot, payer(`p${turn}-${slot}`))),
    );
    await api().becomes(group.group_payment.id, ['paid']);
    paid.push(group.group_payment.id);
  }
}

describe('every service is replaced, one after the other, under load', () => {
  it('no request fails during a rolling restart under load', async () => {
    const over = new AbortController();
    const paying = keepPaying(over.signal).catch((error: unknown) => broken.push(error));
    const replace = async (): Promise<void> => {
      for (const service of rolled) await rollout.roll(service);
    };
    await replace().finally(() => over.abort());
    await paying;
    expect(broken).toEqual([]);
    expect(load.failures).toEqual([]);
    expect(load.answered()).toBeGreaterThan(rolled.length * REQUESTS_PER_SECOND);
    expect(paid.length).toBeGreaterThan(pspCodes.length);
  }, 240_000);

  it('every event of every payment reaches the merchant, and every promise of the ledger holds', async () => {
    const owed = await askLedger<{ id: string }>(
      own.stack,
      'select id from events where group_id = any($1)',
      [paid],
    );
    const missing = () => {
      const heard = new Set(receiver.events.map(({ id }) => id));
      return owed.filter(({ id }) => !heard.has(id));
    };
    for (const giveUpAt = Date.now() + 60_000; missing().length > 0 && Date.now() < giveUpAt;)
      await delay(100);
    expect(missing()).toEqual([]);
    expect(owed.length).toBeGreaterThanOrEqual(paid.length * 5);
    expect(receiver.refused).toEqual([]);
    expect(await brokenPromises(own.stack)).toEqual([]);
  });
});
