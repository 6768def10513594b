import pg from 'pg';
import { pspCodes } from '@gp/gateway-registry';
import { openApi } from '../support/journey.ts';
import type { OwnStack } from '../support/own-stack.ts';
import { brokenPromises } from '../support/promises.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { findMerchant, type Merchant } from '../support/stack.ts';
import { openHistoryClient, type Client } from './client.ts';
import type { Contradiction } from './contradiction.ts';
import { contradictions } from './judge.ts';
import { openGroups, refundNowAndThen, switchGateways, travelNowAndThen } from './merchants.ts';
import { payer, type Crowd } from './payers.ts';
import type { HistoryPlan } from './plan.ts';
import { randomFrom, type Random } from './random.ts';
import { count, newRecord, type Acknowledged, type ClientRecord } from './record.ts';
import { payOneEach, refundOneOfEach } from './each-gateway.ts';
import { comesToRest } from './settle.ts';
import { calm, killProcesses, playFaults } from './trouble.ts';
import { readViews, type Views } from './views.ts';

/** People who refund at the same time: some meet at one group. */
const REFUNDERS = 3;
/** Requests that are sent once more at the end, under the key they had. */
const REPEATS = 25;
const A_DAY_SECONDS = 25 * 3_600;
/** Share of the deliveries that a merchant's server has no time for; seven in a row would lose an event. */
const BUSY = 0.03;

export type History = { readonly views: Views; readonly found: readonly Contradiction[] };

/**
 * Lets a crowd pay the bills of many groups while gateways misbehave and processes are killed, waits for the platform to
 * come to rest, and answers in what the four views of it (API, ledger, the gateways' books, webhooks) contradict.
 */
export async function runHistory(own: OwnStack, plan: HistoryPlan): Promise<History> {
  const random = randomFrom(plan.seed);
  const record = newRecord();
  const merchants = [...pspCodes, 'multi'].map((gateway) => findMerchant(own.stack, gateway));
  const clients = merchants.map((merchant) => openHistoryClient(own.stack, merchant, record));
  const isBusy = busyNowAndThen(record, random.fork());
  const receivers = await Promise.all(merchants.map((merchant) => listen(own, merchant, isBusy)));
  const database = new pg.Client({ connectionString: own.stack.postgres });
  try {
    await makeHistory(own, plan, { record, clients, merchants, random });
    await payOneEach(own.stack, clients);
    await database.connect();
    const rest = { withinMs: plan.restMs, hurry: buildHurry(own, clients) };
    await comesToRest(database, rest);
    // An outcome whose callback was lost is found within a day: by a late query (a form that was given up and used all
    // the same), or by comparing books (a capture that the scheme took back).
    await Promise.all(clients.map((client) => client.travel(A_DAY_SECONDS)));
    await comesToRest(database, rest);
    await refundOneOfEach(database, clients, record);
    await comesToRest(database, rest);
    const heard = receivers.flatMap(({ events }) => events);
    const views = await readViews({ stack: own.stack, database, heard, clients, record });
    const found = [
      ...contradictions(views),
      ...receivers.flatMap(({ refused }) => refused),
      ...(await brokenPromises(own.stack)).map((row) => JSON.stringify(row)),
      ...(await answeredOtherwise(clients, [...record.created, ...record.paid, ...record.refunded], random)),
    ];
    return { views, found };
  } finally {
    await database.end();
    await Promise.all(receivers.map((receiver) => receiver.close()));
  }
}

/** Work that waits for its time gets it: an hour of every merchant's time per step, less than a hold lasts. */
function buildHurry(own: OwnStack, clients: readonly Client[]): () => Promise<void> {
  let hoursLeft = 96;
  return async () => {
    await calm(own);
    if (hoursLeft-- > 0) await Promise.all(clients.map((client) => client.travel(3_600)));
  };
}

/** Events that come while a merchant's server is busy wait for the next step of their retry schedule. */
function busyNowAndThen(record: ClientRecord, random: Random): () => boolean {
  return () => {
    const isBusy = random.chance(BUSY);
    if (isBusy) count(record, 'event refused');
    return isBusy;
  };
}

async function listen(own: OwnStack, merchant: Merchant, isBusy: () => boolean): Promise<Receiver> {
  const receiver = await openReceiver({ isBusy });
  const endpoint = await openApi(own.stack, merchant).createWebhook(receiver.url);
  receiver.trust(endpoint.secret);
  return receiver;
}

type Cast = {
  readonly record: ClientRecord;
  readonly clients: readonly Client[];
  readonly merchants: readonly Merchant[];
  readonly random: Random;
};

/** All clients at once, until the time is up; then all finish their open work. */
async function makeHistory(own: OwnStack, plan: HistoryPlan, cast: Cast): Promise<void> {
  const { record, clients, merchants, random } = cast;
  const { isOver, end } = until(plan.troubleMs);
  const crowd: Crowd = { stack: own.stack, record, open: [], isOver };
  const clientNamed = (name: string) => {
    const client = clients.find(({ merchant }) => merchant.name === name);
    if (!client) throw new Error(`no merchant ${name}`);
    return client;
  };
  const undecided = merchants.at(-1) as Merchant;
  try {
    await Promise.all([
      openGroups(crowd, clients, plan, random.fork()),
      ...Array.from({ length: REFUNDERS }, () => refundNowAndThen(crowd, clientNamed, random.fork())),
      travelNowAndThen(crowd, clients, plan.travelPauseMs, random.fork()),
      switchGateways(crowd, undecided, pspCodes, random.fork()),
      playFaults({ own, gateways: pspCodes, record, random: random.fork(), isOver }),
      killProcesses({ own, pauseMs: plan.killPauseMs, record, random: random.fork(), isOver }),
      ...Array.from({ length: plan.payers }, (_, who) => payer(crowd, `payer${who}`, random.fork())),
    ]);
  } finally {
    end();
  }
}

function until(ms: number) {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), ms);
  return {
    isOver: () => over.signal.aborted,
    end: () => {
      clearTimeout(timer);
      over.abort();
    },
  };
}

/** Requests that get another answer than the one they had under the same key. */
async function answeredOtherwise(
  clients: readonly Client[],
  done: readonly Acknowledged<unknown>[],
  random: Random,
): Promise<Contradiction[]> {
  const found: Contradiction[] = [];
  for (const request of random.some(done, REPEATS)) {
    const client = clients.find(({ merchant }) => merchant.name === request.merchant);
    const again = await client?.repeat(request);
    if (JSON.stringify(again?.body) !== JSON.stringify(request.answer))
      found.push(`${request.path} under key ${request.key} is answered otherwise the second time`);
  }
  return found;
}
