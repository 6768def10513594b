import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toProcessName, pspCodes } from '@gp/gateway-registry';
import { TimeoutError } from '@gp/testing';
import { send } from '../support/api.ts';
import { openApi, beforeExpiry, booksShow, effects, newGroup, payer, paySlot } from '../support/journey.ts';
import { askLedger } from '../support/ledger.ts';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { refundUntilAnswered } from '../support/refund.ts';
import { openRequests } from '../support/requests.ts';
import { findMerchant, type StackFile } from '../support/stack.ts';
import { becomesReady } from './becomes-ready.ts';
import type { Scenario, Walk } from './cells.ts';
import { forgettingAt } from './forget-messages.ts';
import { linkReplaced } from './link-replaced.ts';
import { must, until } from './must.ts';
import { signedUpMerchant } from './signed-up.ts';
import { compared, operated } from './operated.ts';
import { organised } from './organised.ts';
import { sentAgain } from './sent-again.ts';

/** A platform of its own that runs walks one after the other. */
export type WalkRunner = {
  readonly stack: StackFile;
  /** Rejects with the guarantee that did not hold. */
  run(walk: Walk): Promise<void>;
  close(): Promise<void>;
};

/** Leases of a dead process's work, which take seconds in production, shortened. */
const hurry: Readonly<Record<string, NodeJS.ProcessEnv>> = {
  ...Object.fromEntries(pspCodes.map((code) => [toProcessName(code), { LEASE_MS: '1500' }])),
  'webhook-dispatcher': { DEADLINE_MS: '1500', CONNECT_TIMEOUT_MS: '1000', LEASE_MS: '6600' },
};

const PAID_EVENTS = [
  'payment_intent.preauthorised',
  'payment_intent.preauthorised',
  'payment_intent.captured',
  'payment_intent.captured',
  'group_payment.paid',
];

export async function openWalkRunner(): Promise<WalkRunner> {
  // This sandbox shows effects at once, so the settle window is short; a key is free for its retry after a second.
  const own = await openOwnStack({
    GP_SET_SETTLE_WINDOW_MS: '1000',
    GP_SET_IDEMPOTENCY_LEASE_MS: '1000',
    GP_SET_RECONCILE_SETTLE_MS: '1000',
    GP_SET_RECONCILE_LEASE_MS: '2000',
    // The second publication of messages, ten minutes later in production.
    GP_SET_OUTBOX_REPEAT_MS: '8000',
    GP_SET_ORDER_SILENCE_MS: '5000',
  });
  const receivers = new Map<string, Receiver>();
  for (const gateway of pspCodes) {
    const receiver = await openReceiver();
    const endpoint = await openApi(own.stack, findMerchant(own.stack, gateway)).createWebhook(receiver.url);
    receiver.trust(endpoint.secret);
    receivers.set(gateway, receiver);
  }
  return {
    stack: own.stack,
    run: (walk) => armed(own, walk, () => play(own, receivers, walk.scenario)),
    async close() {
      for (const receiver of receivers.values()) await receiver.close();
      await own.close();
    },
  };
}

/** Longer than two minutes: a hold whose report was lost twice is found by the ledger's first query. */
const PATIENCE_MS = 240_000;

let walksBegun = 0;

/** How often the same thing goes on, for points that a death before them can let out. */
const MOST_TIMES = 4;

/**
 * Runs work while the walk's service dies once at each of its points. A death can lead work away from the next point (a
 * caller without an answer sends its request again, and another process answers): then the work is done again, and a
 * point that is still not reached after a few times fails.
 */
async function armed(
  own: OwnStack,
  { service, points, isForgetting }: Walk,
  play: () => Promise<void>,
): Promise<void> {
  const process = own.opened.processes.get(service);
  if (!process) throw new Error(`no process ${service}`);
  const died = join(own.dataDir, `died-${(walksBegun += 1)}`);
  await process.stop();
  await process.start({
    GP_FAIL_POINT: points.join(),
    GP_FAIL_POINT_ONCE_FILE: died,
    ...hurry[service],
  });
  await becomesReady(own.stack, service);
  const nameFile = (point: string) => `${died}-${point}`;
  const work = isForgetting ? () => forgettingAt(own, points.map(nameFile), play) : play;
  const isLeft = (point: string) => !existsSync(nameFile(point));
  // Work that is only stored at first may reach its point last.
  const allWereThere = (withinMs: number) =>
    until('deaths', () => Promise.resolve(!points.some(isLeft)), withinMs).catch(() => undefined);
  for (let times = 0; times < MOST_TIMES && points.some(isLeft); times++) {
    await work();
    await allWereThere(5_000);
  }
  await allWereThere(20_000);
  const left = points.filter(isLeft);
  if (left.length > 0) throw new TimeoutError(`points that ${service} was never at: ${left.join(', ')}`);
}

async function play(own: OwnStack, receivers: Map<string, Receiver>, scenario: Scenario): Promise<void> {
  const gateway = pspCodes.find((each) => scenario.endsWith(each)) ?? '';
  const receiver = receivers.get(gateway);
  if (!receiver) throw new Error(`nobody listens for ${gateway}`);
  if (scenario.startsWith('signed up')) return signedUpMerchant(own);
  if (scenario.startsWith('link replaced')) return linkReplaced(own, gateway);
  if (scenario.startsWith('operated')) return operated(own, gateway);
  if (scenario.startsWith('organised')) return organised(own, gateway);
  if (scenario.startsWith('compared')) return compared(own, gateway);
  if (scenario.startsWith('expired')) return expired(own, receiver, gateway);
  if (scenario.startsWith('captured at expiry')) return capturedAtExpiry(own, receiver, gateway);
  if (scenario.startsWith('refunded')) return refunded(own, receiver, gateway);
  if (scenario.includes('refused start')) await refuseNextPrepare(own, gateway);
  const since = new Date();
  const group = await paid(own, receiver, gateway);
  if (scenario.includes('sent again'))
    await sentAgain(own, { gateway, since, heard: (joined) => heard(joined, group) });
}

/** The next start fails at the gateway: its slots are given back, and the client's retry takes them again. */
async function refuseNextPrepare(own: OwnStack, gateway: string): Promise<void> {
  const fault = { gateway, operation: 'prepare', fault: 'http_500', times: 1 };
  const answer = await send('POST', `${own.stack.sandbox}/control/faults`, fault);
  if (answer.status >= 300) throw new Error(`the sandbox refused a fault: ${JSON.stringify(answer.body)}`);
}

/** Returns the id of the group. */
async function paid(own: OwnStack, receiver: Receiver, gateway: string): Promise<string> {
  const { stack } = own;
  const api = openApi(stack, findMerchant(stack, gateway));
  const group = await newGroup(api, 2);
  const { id } = group.group_payment;
  const first = await paySlot(stack, api, group, 0, payer('ana'));
  const second = await paySlot(stack, api, group, 1, payer('ben'));
  await api.becomes(id, ['paid'], PATIENCE_MS);
  for (const pay of [first, second]) {
    const booked = await booksShow(stack, pay, 'captured');
    must('captured amount', Number(booked.captured_minor), 1_000);
    must('authorisations and captures', [effects(booked, 'authorise'), effects(booked, 'capture')], [1, 1]);
  }
  await heard(receiver, id);
  return id;
}

/** Pays everything and refunds it; the refund is requested under one key until it gets a response. */
async function refunded(own: OwnStack, receiver: Receiver, gateway: string): Promise<void> {
  const { stack } = own;
  const merchant = findMerchant(stack, gateway);
  const api = openApi(stack, merchant);
  const group = await newGroup(api, 2);
  const { id } = group.group_payment;
  const pays = [
    await paySlot(stack, api, group, 0, payer('ana')),
    await paySlot(stack, api, group, 1, payer('ben')),
  ];
  await api.becomes(id, ['paid'], PATIENCE_MS);
  const http = openRequests(stack.api, merchant.test_key);
  const answer = await refundUntilAnswered(http, id, id);
  await api.becomes(id, ['refunded'], PATIENCE_MS);
  const again = await refundUntilAnswered(http, id, id);
  must('repeated answer', [again.status, again.body], [answer.status, answer.body]);
  for (const pay of pays) {
    const booked = await booksShow(stack, pay, 'refunded');
    must('refunded amount', Number(booked.refunded_minor), 1_000);
    must('more than one refund', effects(booked, 'refund') > 1, false);
  }
  await progressIsKept(own, id);
  await heardOnce(receiver, id, 'group_payment.refunded');
}

async function progressIsKept({ stack }: OwnStack, groupId: string): Promise<void> {
  const settled = 'select from refund.refunds where group_id = $1 and settled_at is not null';
  await until('the refund’s end is kept', async () => {
    return (await askLedger(stack, settled, [groupId])).length === 1;
  });
}

async function heardOnce(receiver: Receiver, groupId: string, type: string): Promise<void> {
  const told = () =>
    receiver.events.filter((event) => event.data['group_payment_id'] === groupId && event.type === type)
      .length;
  await until(`${type} is heard`, () => Promise.resolve(told() > 0), PATIENCE_MS);
  must(type, told(), 1);
}

async function expired(own: OwnStack, receiver: Receiver, gateway: string): Promise<void> {
  const { stack } = own;
  const api = openApi(stack, findMerchant(stack, gateway));
  const { group, pay } = await beforeExpiry(12, async (expires_at) => {
    const group = await newGroup(api, 2, { expires_at });
    return { group, pay: await paySlot(stack, api, group, 0, payer('ana')) };
  });
  await api.becomes(group.group_payment.id, ['expired'], PATIENCE_MS);
  const booked = await booksShow(stack, pay, 'voided', PATIENCE_MS);
  must('captured amount', Number(booked.captured_minor), 0);
  must('authorisations', effects(booked, 'authorise'), 1);
  for (const type of ['group_payment.expired', 'payment_intent.released'])
    await heardOnce(receiver, group.group_payment.id, type);
}

/** What is held is captured when time runs out, once, and nothing else of the group ends (Q90). */
async function capturedAtExpiry(own: OwnStack, receiver: Receiver, gateway: string): Promise<void> {
  const { stack } = own;
  const api = openApi(stack, findMerchant(stack, gateway));
  const { group, pay } = await beforeExpiry(12, async (expires_at) => {
    const group = await newGroup(api, 2, { expires_at, capture_at_expiry: { minimum_slots: 1 } });
    return { group, pay: await paySlot(stack, api, group, 0, payer('ana')) };
  });
  await api.becomes(group.group_payment.id, ['partially_paid'], PATIENCE_MS);
  const booked = await booksShow(stack, pay, 'captured', PATIENCE_MS);
  must('captured amount', Number(booked.captured_minor), 1_000);
  must('authorisations and captures', [effects(booked, 'authorise'), effects(booked, 'capture')], [1, 1]);
  await heardOnce(receiver, group.group_payment.id, 'group_payment.partially_paid');
}

/** Waits for the events of a paid group; the receiver has dropped repeats by event id and checked signatures. */
async function heard(receiver: Receiver, groupId: string): Promise<void> {
  // These depend on timing: a refused start may emit a failure, and captures may be confirmed one by one.
  const optional = ['group_payment.partially_paid', 'payment_intent.failed'];
  const told = () =>
    receiver.events
      .filter((event) => event.data['group_payment_id'] === groupId && !optional.includes(event.type))
      .map((event) => event.type);
  await until(
    `events of ${groupId} are heard`,
    () => Promise.resolve(told().length >= PAID_EVENTS.length),
    PATIENCE_MS,
  );
  must('events', told().toSorted(), PAID_EVENTS.toSorted());
  must('refused deliveries', receiver.refused, []);
}
