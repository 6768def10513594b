import { setTimeout as delay } from 'node:timers/promises';
import { connect, nkeyAuthenticator, type NatsConnection } from '@gp/bundled/nats';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { logStatements, type StatementUse } from '../bench/statement-log.ts';
import { newGroup, openApi, payer, paySlot } from '../support/journey.ts';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { findMerchant } from '../support/stack.ts';

const PAYMENTS = 10;
const IDLE_MS = 5_000;
/** What follows the last webhook: its record, the callback of the capture, the log of requests. */
const AFTER_MS = 1_500;
/** What fewer than every second payment leads to is a loop's look for work, of which there are more on a slow machine. */
const LEAST = 0.5;
/** The sandbox plays the gateways' own machines. */
const SANDBOX = 'psp-sandbox';
/** It looks for lanes in a transaction. */
const DISPATCHER = 'webhook-dispatcher';

let own: OwnStack;
let receiver: Receiver;
let bus: NatsConnection;
/** Of one payment. */
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
  await delay(AFTER_MS);
  const looks = new Set((await logOurs(() => delay(IDLE_MS))).map(toKey));
  const messages = countMessages();
  const uses = (await logOurs(payAll)).filter((use) => !looks.has(toKey(use)) && !ENDS.test(use.statement));
  await bus.flush();
  const sum = (of: readonly StatementUse[]): number =>
    of.reduce((total, { runs }) => total + (runs / PAYMENTS < LEAST ? 0 : runs), 0) / PAYMENTS;
  const begun = uses.filter(
    ({ service, statement }) => /^begin\b/.test(statement) && !service.startsWith(DISPATCHER),
  );
  cost = { statements: sum(uses), transactions: sum(begun), messages: messages() / PAYMENTS };
  const lines = uses.map((use) => `${use.runs / PAYMENTS} × ${toKey(use)}`);
  process.stdout.write(`a payment of one slot ${JSON.stringify(cost)}\n  ${lines.join('\n  ')}\n`);
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

const ENDS = /^(commit|rollback)\b/;
const toKey = ({ service, statement }: StatementUse): string => `${service}: ${statement}`;

/** Runs `work` and returns what every service but the sandbox sent to Postgres meanwhile. */
async function logOurs(work: () => Promise<unknown>): Promise<readonly StatementUse[]> {
  const uses = await logStatements(own.stack, own.dataDir, work);
  return uses.filter(({ service }) => !service.startsWith(SANDBOX) && !service.startsWith('[unknown]'));
}

/** Counts messages from now on, without those by which consumers wait; returns how many there were. */
function countMessages(): () => number {
  let messages = 0;
  bus.subscribe('>', {
    callback: (_error, { subject, headers }) => {
      const isWaiting = subject.startsWith('$JS.API.') || (headers !== undefined && headers.code > 0);
      if (!isWaiting) messages += 1;
    },
  });
  return () => messages;
}

// The limits are what was measured and a tenth or more: work that meets a busy machine is looked for twice now and then.
it('a payment of one slot with three webhooks sends Postgres at most 54 statements', () => {
  expect(cost.statements).toBeGreaterThan(30);
  expect(cost.statements).toBeLessThanOrEqual(54);
});

it('each step of a payment is one statement, without a transaction of several', () => {
  expect(cost.transactions).toBe(0);
});

it('a payment of one slot with three webhooks sends at most 62 messages over the bus', () => {
  expect(cost.messages).toBeGreaterThan(30);
  expect(cost.messages).toBeLessThanOrEqual(62);
});
