import { setTimeout as delay } from 'node:timers/promises';
import { connect, nkeyAuthenticator, type NatsConnection } from '@gp/bundled/nats';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { countDatabaseUse, type DatabaseUse } from '../bench/statement-log.ts';
import { newGroup, openApi, payer, paySlot } from '../support/journey.ts';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { findMerchant } from '../support/stack.ts';

const PAYMENTS = 10;
const IDLE_MS = 5_000;
/** What follows the last webhook: its record, and the callback of the capture. */
const AFTER_MS = 1_000;
/** The sandbox plays the gateways' own machines. */
const SANDBOX = 'psp-sandbox';

let own: OwnStack;
let receiver: Receiver;
let bus: NatsConnection;
let cost: { readonly statements: number; readonly transactions: number; readonly messages: number };

beforeAll(async () => {
  own = await openOwnStack();
  receiver = await openReceiver();
  const { stack } = own;
  const merchant = findMerchant(stack, 'gateway_a');
  const api = openApi(stack, merchant);
  receiver.trust((await api.createWebhook(receiver.url)).secret);
  const pay = async (): Promise<void> => {
    const group = await newGroup(api, 1);
    const isPaid = new Promise<void>((resolve) => {
      receiver.onEvent(({ type, data }) => {
        if (type === 'group_payment.paid' && data['group_payment_id'] === group.group_payment.id) resolve();
      });
    });
    await paySlot(stack, api, group, 0, payer('cost'));
    await isPaid;
  };
  const payAll = async (): Promise<void> => {
    for (let n = 0; n < PAYMENTS; n++) await pay();
    await delay(AFTER_MS);
  };
  bus = await connectAsAdministrator();
  // The first payments prepare statements and open connections.
  for (let n = 0; n < 3; n++) await pay();
  const idle = await measure(() => delay(IDLE_MS));
  const busy = await measure(payAll);
  const perPayment = (of: (measured: Measured) => number) =>
    (of(busy) - (of(idle) * busy.seconds) / idle.seconds) / PAYMENTS;
  cost = {
    statements: perPayment(({ statements }) => statements),
    transactions: perPayment(({ transactions }) => transactions),
    messages: perPayment(({ messages }) => messages),
  };
  process.stdout.write(`a payment of one slot ${JSON.stringify(cost)} ${JSON.stringify(busy.services)}\n`);
});
afterAll(async () => {
  await bus?.close();
  await receiver?.close();
  await own?.close();
});

function connectAsAdministrator(): Promise<NatsConnection> {
  const { nats, nats_seeds } = own.stack;
  const seed = new TextEncoder().encode(nats_seeds.administrator ?? '');
  return connect({ servers: nats, authenticator: nkeyAuthenticator(seed) });
}

type Measured = DatabaseUse & {
  readonly messages: number;
  readonly seconds: number;
  readonly services: Record<string, DatabaseUse>;
};

/** Counts what all services but the sandbox send to Postgres, and every message on the bus, while `work` goes on. */
async function measure(work: () => Promise<unknown>): Promise<Measured> {
  let messages = 0;
  const subscription = bus.subscribe('>', { callback: () => void (messages += 1) });
  await bus.flush();
  const { seconds, services } = await countDatabaseUse(own.stack, own.dataDir, work);
  await bus.flush();
  subscription.unsubscribe();
  const ours = [...services].filter(([name]) => !name.startsWith(SANDBOX));
  const sum = (of: (use: DatabaseUse) => number): number =>
    ours.reduce((total, [, use]) => total + of(use), 0);
  return {
    statements: sum(({ statements }) => statements),
    transactions: sum(({ transactions }) => transactions),
    messages,
    seconds,
    services: Object.fromEntries(ours),
  };
}

// The limits are what was measured and a tenth: a machine that is busy makes the services look twice now and then.
it('a payment of one slot with three webhooks sends Postgres at most 58 statements, in as many transactions', () => {
  expect(cost.statements).toBeGreaterThan(30);
  expect(cost.statements).toBeLessThanOrEqual(58);
  expect(cost.transactions).toBeLessThanOrEqual(58);
});

it('a payment of one slot with three webhooks sends at most 58 messages over the bus', () => {
  expect(cost.messages).toBeGreaterThan(30);
  expect(cost.messages).toBeLessThanOrEqual(58);
});
