import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiOf, booksShow, effects, newGroup, payer, paySlot } from '../support/journey.ts';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { cards } from '../support/payer.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { services } from '../support/services.ts';
import { merchantOf, switchGateway } from '../support/stack.ts';

/** Everything a payment passes through, the servers included. */
const processes = [...services, 'nats', 'postgres'];

let own: OwnStack;
let receiver: Receiver;

beforeAll(async () => {
  // A dead edge keeps a key from its retry for a minute; a second is enough to show that it does not for longer.
  own = await openOwnStack({ GP_SET_IDEMPOTENCY_LEASE_MS: '1000' });
  receiver = await openReceiver();
  const endpoint = await apiOf(own.stack, merchantOf(own.stack, 'multi')).createWebhook(receiver.url);
  receiver.trust(endpoint.secret);
}, 120_000);
afterAll(async () => {
  await receiver?.close();
  await own?.close();
}, 60_000);

describe.each(processes)('kill -9 of %s again and again while three payers pay', (name) => {
  it('the group ends paid, with one authorisation and one capture per payment', async () => {
    const { stack } = own;
    const merchant = merchantOf(stack, 'multi');
    const api = apiOf(stack, merchant);
    const killing = keepKilling(name, 5);
    await switchGateway(stack, merchant, 'gateway_a');
    const group = await newGroup(api, 3);
    const first = await paySlot(stack, api, group, 0, payer('ana'));
    const second = await paySlot(stack, api, group, 1, payer('ben', cards.authenticated));
    await switchGateway(stack, merchant, 'gateway_b');
    const third = await paySlot(stack, api, group, 2, payer('cleo'));
    await killing;
    await api.becomes(group.group_payment.id, ['paid'], 90_000);
    for (const pay of [first, second, third]) {
      const booked = await booksShow(stack, pay, 'captured');
      expect([effects(booked, 'authorise'), effects(booked, 'capture')]).toEqual([1, 1]);
      expect(Number(booked.captured_minor)).toBe(1_000);
    }
    await paidIsHeard(group.group_payment.id);
  }, 180_000);
});

/** Kills the process a few times, each time as soon as it is back for a moment. */
async function keepKilling(name: string, times: number): Promise<void> {
  const target = own.opened.processes.get(name);
  if (!target) throw new Error(`no process ${name}`);
  for (let turn = 0; turn < times; turn++) {
    await delay(150 + turn * 120);
    await target.kill();
  }
}

async function paidIsHeard(groupId: string): Promise<void> {
  const isHeard = () =>
    receiver.events.filter(
      (event) => event.type === 'group_payment.paid' && event.data['group_payment_id'] === groupId,
    ).length;
  for (const giveUpAt = Date.now() + 90_000; isHeard() === 0 && Date.now() < giveUpAt;) await delay(100);
  expect(isHeard()).toBe(1);
}
