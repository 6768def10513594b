import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { booksShow, effects, apiOf, inSeconds, newGroup, payer, paySlot } from '../support/journey.ts';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { merchantOf } from '../support/stack.ts';
import { becomesReady } from './becomes-ready.ts';
import { crashMatrix, type Cell, type Scenario } from './cells.ts';

let own: OwnStack;
const receivers = new Map<string, Receiver>();

beforeAll(async () => {
  // A sandbox that forgets nothing settles at once, and a key is not kept from its retry for a minute.
  own = await openOwnStack({ GP_SET_SETTLE_WINDOW_MS: '1000', GP_SET_IDEMPOTENCY_LEASE_MS: '1000' });
  for (const gateway of ['gateway_a', 'gateway_b']) {
    const receiver = await openReceiver();
    const endpoint = await apiOf(own.stack, merchantOf(own.stack, gateway)).createWebhook(receiver.url);
    receiver.trust(endpoint.secret);
    receivers.set(gateway, receiver);
  }
}, 120_000);
afterAll(async () => {
  for (const receiver of receivers.values()) await receiver.close();
  await own?.close();
}, 60_000);

describe.each(crashMatrix.map((cell) => [cell.service, cell.point, cell] as const))(
  '%s killed at %s',
  (_service, _point, cell) => {
    it(`${cell.scenario}: every effect happens once, and every webhook arrives`, async () => {
      await armed(cell, () => run(cell.scenario));
    }, 200_000);
  },
);

/** How long the work of a dead process waits to be taken over: what takes seconds in production, shortened. */
const hurry: Readonly<Record<string, NodeJS.ProcessEnv>> = {
  'gateway-a': { LEASE_MS: '1500' },
  'gateway-b': { LEASE_MS: '1500' },
  'webhook-dispatcher': { DEADLINE_MS: '1500', CONNECT_TIMEOUT_MS: '1000', LEASE_MS: '6600' },
};

/** Runs work while the cell's service dies once at the cell's point; a cell whose point is never reached fails. */
async function armed(cell: Cell, work: () => Promise<void>): Promise<void> {
  const process = own.opened.processes.get(cell.service);
  if (!process) throw new Error(`no process ${cell.service}`);
  const died = join(own.dataDir, `died-${cell.service}-${cell.point}`);
  await process.stop();
  await process.start({ GP_FAIL_POINT: cell.point, GP_FAIL_POINT_ONCE_FILE: died, ...hurry[cell.service] });
  await becomesReady(own.stack, cell.service);
  await work();
  expect(existsSync(died)).toBe(true);
}

async function run(scenario: Scenario): Promise<void> {
  const gateway = scenario.endsWith('gateway_a') ? 'gateway_a' : 'gateway_b';
  if (scenario.startsWith('expired')) return expired(gateway);
  // The first start of each payment fails at the gateway: its slots are given back, and the retry takes them again.
  const fault = scenario.includes('refused start')
    ? { metadata: { sandbox_fault: 'prepare:http_500:1' } }
    : {};
  return paid(gateway, fault);
}

async function paid(gateway: string, extra: Record<string, unknown>): Promise<void> {
  const { stack } = own;
  const api = apiOf(stack, merchantOf(stack, gateway));
  const group = await newGroup(api, 2, extra);
  const { id } = group.group_payment;
  const pays = [
    await paySlot(stack, api, group, 0, payer('ana')),
    await paySlot(stack, api, group, 1, payer('ben')),
  ];
  await api.becomes(id, ['paid']);
  for (const pay of pays) {
    const booked = await booksShow(stack, pay, 'captured');
    expect(Number(booked.captured_minor)).toBe(1_000);
    expect([effects(booked, 'authorise'), effects(booked, 'capture')]).toEqual([1, 1]);
  }
  await heard(gateway, id, [
    'payment_intent.preauthorised',
    'payment_intent.preauthorised',
    'payment_intent.captured',
    'payment_intent.captured',
    'group_payment.paid',
  ]);
}

async function expired(gateway: string): Promise<void> {
  const { stack } = own;
  const api = apiOf(stack, merchantOf(stack, gateway));
  const group = await newGroup(api, 2, { expires_at: inSeconds(3) });
  const pay = await paySlot(stack, api, group, 0, payer('ana'));
  await api.becomes(group.group_payment.id, ['expired']);
  const booked = await booksShow(stack, pay, 'voided');
  expect(Number(booked.captured_minor)).toBe(0);
  expect(effects(booked, 'authorise')).toBe(1);
}

/** Waits for exactly these events of a group; the receiver has dropped repeats by event id. */
async function heard(gateway: string, groupId: string, types: readonly string[]): Promise<void> {
  const receiver = receivers.get(gateway);
  if (!receiver) throw new Error(`no receiver for ${gateway}`);
  const of = () => receiver.events.filter((event) => event.data['group_payment_id'] === groupId);
  for (const giveUpAt = Date.now() + 60_000; of().length < types.length && Date.now() < giveUpAt;)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const rest = of()
    .map((event) => event.type)
    .filter((type) => type !== 'group_payment.partially_paid');
  expect(rest.sort()).toEqual([...types].sort());
  expect(receiver.refused).toEqual([]);
}
