import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import type { Group, Pay } from '../support/api.ts';
import { openApi, booksShow, effects, newGroup, payer, paySlot } from '../support/journey.ts';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { cards } from '../support/payer.ts';
import { brokenPromises } from '../support/promises.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { refundUntilAnswered } from '../support/refund.ts';
import { openRequests } from '../support/requests.ts';
import { services } from '../support/services.ts';
import { findMerchant } from '../support/stack.ts';
import { switchGateway } from '../support/switch-gateway.ts';

/** Everything a payment passes through, the servers included. */
const processes = [...services, 'nats', 'postgres'];

/**
 * A refund that may or may not have been sent is sent again only once the gateway has shown nothing for a minute (R4),
 * and the query after that comes when it is five minutes old.
 */
const IN_DOUBT_MS = 400_000;
const UNKNOWN = 'outcome unknown, being verified';

let own: OwnStack;
let receiver: Receiver;

beforeAll(async () => {
  // A dead edge keeps a key from its retry for a minute; a second is enough to show that it does not for longer.
  own = await openOwnStack({ GP_SET_IDEMPOTENCY_LEASE_MS: '1000' });
  receiver = await openReceiver();
  const endpoint = await openApi(own.stack, findMerchant(own.stack, 'multi')).createWebhook(receiver.url);
  receiver.trust(endpoint.secret);
});
afterAll(async () => {
  await receiver?.close();
  await own?.close();
});

describe.each(processes)('kill -9 of %s again and again while three payers pay and are refunded', (name) => {
  it(
    'every payment is authorised, captured and, where the gateway can, refunded once',
    async () => {
      const { stack } = own;
      const merchant = findMerchant(stack, 'multi');
      const api = openApi(stack, merchant);
      const killing = keepKilling(name, 4);
      await switchGateway(stack, merchant, 'gateway_a');
      const group = await newGroup(api, 3);
      const { id } = group.group_payment;
      const first = await paySlot(stack, api, group, 0, payer('ana', cards.authenticated));
      await switchGateway(stack, merchant, 'gateway_b');
      const second = await paySlot(stack, api, group, 1, payer('ben'));
      await switchGateway(stack, merchant, 'gateway_c');
      const third = await paySlot(stack, api, group, 2, payer('cleo'));
      await killing;
      await api.becomes(id, ['paid'], 90_000);
      for (const pay of [first, second, third]) {
        const booked = await booksShow(stack, pay, 'captured');
        expect([effects(booked, 'authorise'), effects(booked, 'capture')]).toEqual([1, 1]);
        expect(Number(booked.captured_minor)).toBe(1_000);
      }
      await expectEventOnce(id, 'group_payment.paid');
      await refunded(name, { group, pays: [first, second], kept: third });
    },
    2 * IN_DOUBT_MS,
  );
});

/** Everything is refunded while the process dies once more; gateway_c has no refunds in its API. */
async function refunded(
  name: string,
  { group, pays, kept }: { group: Group; pays: readonly Pay[]; kept: Pay },
): Promise<void> {
  const { stack } = own;
  const merchant = findMerchant(stack, 'multi');
  const { id } = group.group_payment;
  const killing = keepKilling(name, 1);
  const answer = await refundUntilAnswered(openRequests(stack.api, merchant.test_key), id, id);
  await killing;
  // The operations that are known to the gateways by then depend on the process that died; no gateway has refused any.
  expect([200, 502]).toContain(answer.status);
  const ours = answer.body.failed.filter(
    ({ payment_intent_id }) => payment_intent_id !== kept.payment_intent_id,
  );
  expect(ours.filter(({ error }) => error !== UNKNOWN)).toEqual([]);
  await openApi(stack, merchant).becomes(id, ['partially_refunded'], IN_DOUBT_MS);
  for (const pay of pays) {
    const booked = await booksShow(stack, pay, 'refunded');
    expect(effects(booked, 'refund')).toBe(1);
    expect(Number(booked.refunded_minor)).toBe(1_000);
  }
  expect(Number((await booksShow(stack, kept, 'captured')).refunded_minor)).toBe(0);
  await expectEventOnce(id, 'group_payment.partially_refunded');
}

it('every promise of the ledger holds after all of this', async () => {
  expect(await brokenPromises(own.stack)).toEqual([]);
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

async function expectEventOnce(groupId: string, type: string): Promise<void> {
  const heard = () =>
    receiver.events.filter((event) => event.type === type && event.data['group_payment_id'] === groupId)
      .length;
  await eventually(() => heard() > 0 || undefined, { withinMs: 90_000 });
  expect(heard()).toBe(1);
}
