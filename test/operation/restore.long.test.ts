import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATED, type Operated } from '@gp/contracts';
import { pspCodes } from '@gp/gateway-registry';
import { childEnv, eventually, ownPostgres, TimeoutError, type OwnServer } from '@gp/testing';
import { sendUntilAnswered, type Group, type MerchantApi, type Pay } from '../support/api.ts';
import type { BookedPayment } from '../support/books.ts';
import { openApi, booksShow, newGroup, payer, paySlot } from '../support/journey.ts';
import { askLedger } from '../support/ledger.ts';
import { operator } from '../support/operator.ts';
import { openOwnStack, type OwnStack } from '../support/own-stack.ts';
import { postCard } from '../support/payer.ts';
import { backUp, type Backup } from '../support/point-in-time.ts';
import { brokenPromises } from '../support/promises.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { refundUntilAnswered } from '../support/refund.ts';
import { openRequests } from '../support/requests.ts';
import { services } from '../support/services.ts';
import { isReady } from '../support/replicas.ts';
import { findMerchant, root, type Merchant } from '../support/stack.ts';
import { switchGateway } from '../support/switch-gateway.ts';

const ours = services.filter((name) => name !== 'psp-sandbox');
/** Services that act by outside messages or by time stay down until the books are compared. */
const LAST = ['scheduler', 'api-gateway', 'checkout', 'merchant-dashboard'];
const AFTER: readonly Operated[] = ['scheduler', 'api_gateway', 'checkout', 'merchant'];

type Task = { code: string; intent_id: string | null; details: { psp_reference?: string } };

/** The gateways' own books are no part of what is lost: they keep them in a database of their own. */
let gateways: OwnServer;
let own: OwnStack;
let merchant: Merchant;
let api: MerchantApi;
let backup: Backup;
let beganAt: string;
let receiver: Receiver;
/** Work that was under way when the backup ends, or began after it. */
const bills = {} as Record<'paid' | 'untold' | 'halfPaid' | 'prepared', Group>;
let prepared: Pay;
let unseen: Pay[];

beforeAll(async () => {
  beganAt = new Date().toISOString();
  gateways = await ownPostgres();
  own = await openOwnStack({
    SANDBOX_DATABASE_URL: gateways.url,
    GP_SET_RECONCILE_SETTLE_MS: '1000',
    GP_SET_IDEMPOTENCY_LEASE_MS: '1000',
  });
  merchant = findMerchant(own.stack, 'multi');
  api = openApi(own.stack, merchant);
  receiver = await openReceiver();
  receiver.trust((await api.createWebhook(receiver.url)).secret);
}, 150_000);
afterAll(async () => {
  await receiver?.close();
  await own?.close();
  await gateways?.stop();
});

const pay = (group: Group, slot: number) =>
  paySlot(own.stack, api, group, slot, payer(`${group.group_payment.id.slice(-6)}-${slot}`));

async function payAll(psp: string): Promise<{ group: Group; pays: Pay[] }> {
  await switchGateway(own.stack, merchant, psp);
  const group = await newGroup(api, 2);
  const pays = await Promise.all([0, 1].map((slot) => pay(group, slot)));
  await api.becomes(group.group_payment.id, ['paid']);
  return { group, pays };
}

/** Payments go on while the files are copied; the backup ends in the middle of some of them. */
async function liveUntilBackup(): Promise<string> {
  bills.paid = (await payAll('gateway_b')).group;
  // From here on events stay in the stream, because the dispatcher that would consume them is stopped.
  await own.opened.processes.get('webhook-dispatcher')?.stop();
  const going = payAll('gateway_c');
  backup = await backUp(own);
  bills.untold = (await going).group;
  await switchGateway(own.stack, merchant, 'gateway_a');
  bills.halfPaid = await newGroup(api, 2);
  await pay(bills.halfPaid, 0);
  await api.slotBecomes(bills.halfPaid.group_payment.id, 0, 'preauthorised');
  bills.prepared = await newGroup(api, 1);
  const request = { customer_email: 'late@payers.example', customer_name: 'Late Example' };
  prepared = await api.pay(bills.prepared.group_payment.id, {
    ...request,
    slot_ids: [bills.prepared.payment_slots[0]?.id],
  });
  return backup.now();
}

/** The restored databases will contain none of this, but the gateways will. */
async function continuePayments(): Promise<void> {
  await postCard(own.stack, prepared, '4242424242424242');
  await api.becomes(bills.prepared.group_payment.id, ['paid']);
  await pay(bills.halfPaid, 1);
  await api.becomes(bills.halfPaid.group_payment.id, ['paid']);
  const { id } = bills.paid.group_payment;
  await refundUntilAnswered(openRequests(own.stack.api, merchant.test_key), id, id);
  unseen = [];
  for (const psp of pspCodes) unseen.push(...(await payAll(psp)).pays);
}

async function loseEverything(): Promise<void> {
  const die = async (name: string): Promise<void> => {
    await own.opened.processes.get(name)?.kill();
    await own.opened.processes.get(name)?.stop();
  };
  await backup.archived();
  await Promise.all(ours.map(die));
  for (const name of ['nats', 'postgres']) await die(name);
  await backup.lose();
  await rm(join(own.dataDir, 'nats'), { recursive: true });
}

/** The servers first, then the streams, then the services that neither receive outside messages nor act by the clock. */
async function restore(instant: string): Promise<void> {
  const { processes } = own.opened;
  await backup.restore(instant);
  for (const name of ['postgres', 'nats']) await processes.get(name)?.start();
  const env = childEnv({
    NATS_URL: own.stack.nats,
    NATS_NKEY_SEED: own.stack.nats_seeds.installation,
    STREAM_REPLICAS: '1',
  });
  const streams = join(root, 'services/installation/src/streams.ts');
  await promisify(execFile)(process.execPath, ['--no-warnings', streams], { env });
  await start(ours.filter((name) => !LAST.includes(name)));
}

async function start(names: readonly string[]): Promise<void> {
  for (const name of names) await own.opened.processes.get(name)?.start();
  for (const name of names) {
    const metricsPort = own.opened.ports.metrics(services.indexOf(name));
    for (const giveUpAt = Date.now() + 60_000; !(await isReady({ metricsPort })); await delay(100))
      if (Date.now() > giveUpAt) throw new TimeoutError(`${name} is not ready`);
  }
}

async function isTold({ group_payment: { id } }: Group, type: string): Promise<void> {
  const heard = () =>
    receiver.events.some((event) => event.type === type && event.data['group_payment_id'] === id);
  for (const giveUpAt = Date.now() + 60_000; !heard(); await delay(100))
    if (Date.now() > giveUpAt) throw new TimeoutError(`no ${type} of ${id} was delivered`);
}

const republish = (contexts: readonly Operated[]) =>
  Promise.all(
    contexts.map((service) => {
      const range = ['--from', beganAt, '--to', new Date(Date.now() + 60_000).toISOString()];
      return operator(own.stack, 'outbox', 'republish', '--service', service, ...range);
    }),
  );

const scope = (psp: string) => [...['--merchant', merchant.merchant_id, '--mode', 'test', '--psp', psp]];

async function compareBooks(psp: string): Promise<void> {
  const { id } = await operator<{ id: string }>(own.stack, 'reconcile', 'run', ...scope(psp));
  for (const giveUpAt = Date.now() + 90_000; ; await delay(300)) {
    const report = await operator<{ run: { state: string } }>(own.stack, 'reconcile', 'report', '--run', id);
    if (report.run.state === 'done') return;
    if (Date.now() > giveUpAt) throw new TimeoutError(`the comparison with ${psp} is ${report.run.state}`);
  }
}

/** The gateway's holds and charges, as an export of its own books. */
async function exportBooks(psp: string): Promise<BookedPayment[]> {
  const url = `${own.stack.sandbox}/control/books?gateway=${psp}&limit=50000`;
  const payments = (await sendUntilAnswered('GET', url)).body['payments'] as BookedPayment[];
  return payments.filter(({ authorised_minor }) => Number(authorised_minor) > 0);
}

async function findUnknownPayments(psp: string): Promise<readonly string[]> {
  const file = join(own.dataDir, `${psp}.txt`);
  await writeFile(file, (await exportBooks(psp)).map(({ psp_reference }) => `${psp_reference}\n`).join(''));
  const { strays } = await operator<{ strays: string[] }>(
    own.stack,
    ...['books', 'strays', '--file', file],
    ...scope(psp),
  );
  return strays;
}

const WHO_TELL: readonly string[] = ['ledger', ...pspCodes];
/** The tasks of all services: a service that was too busy to answer is queried again. */
const openTasks = () =>
  eventually(async () => {
    const list = ['tasks', 'list', '--limit', '200'];
    const found = await operator<{ tasks: Task[]; unanswered: string[] }>(own.stack, ...list);
    return found.unanswered.some((service) => WHO_TELL.includes(service)) ? undefined : found.tasks;
  });

describe('the platform after the loss of everything but a backup of Postgres', () => {
  it('a restored platform starts with empty streams, fills them from the outboxes, and compares the books', async () => {
    const instant = await liveUntilBackup();
    await continuePayments();
    await loseEverything();
    await restore(instant);
    await republish(OPERATED.filter((context) => !AFTER.includes(context)));
    await isTold(bills.untold, 'group_payment.paid');
    await Promise.all(pspCodes.map(compareBooks));
    expect(await brokenPromises(own.stack)).toEqual([]);
  }, 240_000);

  it('a restored platform records what the gateways did meanwhile, or opens an operator task', async () => {
    const unknown = (await Promise.all(pspCodes.map(findUnknownPayments))).flat();
    await start(LAST);
    await republish(AFTER);
    await api.becomes(bills.prepared.group_payment.id, ['paid']);
    await api.becomes(bills.paid.group_payment.id, ['refunded']);
    const tasks = await openTasks();
    const reported = tasks.flatMap(({ code, details }) =>
      code === 'unknown_payment' ? [details.psp_reference] : [],
    );
    expect(reported.toSorted()).toEqual(unknown.toSorted());
    // The second share of the half-paid bill and all six shares of the bills that are lost.
    expect(unknown).toHaveLength(unseen.length + 1);
    await everyPaymentIsAccountedFor(tasks);
    expect(await brokenPromises(own.stack)).toEqual([]);
  });

  /** The ledger says of each payment what the gateway says, or a task names it. */
  async function everyPaymentIsAccountedFor(tasks: readonly Task[]): Promise<void> {
    const named = new Set(tasks.flatMap((task) => [task.intent_id, task.details.psp_reference]));
    const known = await askLedger<{ id: string; state: string }>(own.stack, 'select id, state from intents');
    const states = new Map(known.map(({ id, state }) => [id, state]));
    const isKnown = (booked: BookedPayment) => states.get(booked.payment_intent_id) === toLedgerState(booked);
    for (const psp of pspCodes)
      for (const booked of await exportBooks(psp))
        if (!isKnown(booked)) expect(named).toContain(booked.psp_reference);
  }

  const toLedgerState = ({ status }: BookedPayment): string =>
    status === 'authorised' ? 'preauthorised' : status;

  it('a restored platform processes new bills without faults', async () => {
    for (const psp of pspCodes) {
      const { pays } = await payAll(psp);
      for (const each of pays) await booksShow(own.stack, each, 'captured');
    }
  });
});
