import pg from 'pg';
import { apiOf } from '../support/journey.ts';
import type { OwnStack } from '../support/own-stack.ts';
import { brokenPromises } from '../support/promises.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { merchantOf, type Merchant } from '../support/stack.ts';
import { clientOf, type Client } from './client.ts';
import { contradictions, type Contradiction } from './judge.ts';
import { openGroups, refundNowAndThen, switchGateways } from './merchants.ts';
import { payer, type Crowd } from './payers.ts';
import type { HistoryPlan } from './plan.ts';
import { randomFrom } from './random.ts';
import { newRecord, type Acknowledged } from './record.ts';
import { comesToRest } from './settle.ts';
import { calm, killProcesses, playFaults } from './trouble.ts';
import { readViews, type Views } from './views.ts';

/** The gateways of the demo merchants that have just one; the merchant with all of them switches between these. */
const GATEWAYS = ['gateway_a', 'gateway_b'] as const;
/** Requests that are sent once more at the end, under the key they had. */
const REPEATS = 25;

export type History = { readonly views: Views; readonly found: readonly Contradiction[] };

/**
 * Lets a crowd pay the bills of many groups while gateways misbehave and processes are killed, waits for the platform to
 * come to rest, and answers in what the four views of it (API, ledger, the gateways' books, webhooks) contradict.
 */
export async function runHistory(own: OwnStack, plan: HistoryPlan): Promise<History> {
  const random = randomFrom(plan.seed);
  const record = newRecord();
  const merchants = [...GATEWAYS, 'multi'].map((gateway) => merchantOf(own.stack, gateway));
  const clients = merchants.map((merchant) => clientOf(own.stack, merchant, record));
  const receivers = await Promise.all(merchants.map((merchant) => listen(own, merchant)));
  const database = new pg.Client({ connectionString: own.stack.postgres });
  try {
    await makeHistory(own, plan, { record, clients, merchants, random });
    await database.connect();
    await comesToRest(database, { withinMs: plan.restMs, hurry: () => calm(own) });
    const heard = receivers.flatMap(({ events }) => events);
    const views = await readViews({ stack: own.stack, database, heard, record });
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

async function listen(own: OwnStack, merchant: Merchant): Promise<Receiver> {
  const receiver = await openReceiver();
  const endpoint = await apiOf(own.stack, merchant).createWebhook(receiver.url);
  receiver.trust(endpoint.secret);
  return receiver;
}

type Cast = {
  readonly record: ReturnType<typeof newRecord>;
  readonly clients: readonly Client[];
  readonly merchants: readonly Merchant[];
  readonly random: ReturnType<typeof randomFrom>;
};

/** Everybody at once, until the time is up; then all finish what they began. */
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
      refundNowAndThen(crowd, clientNamed, random.fork()),
      switchGateways(crowd, undecided, GATEWAYS, random.fork()),
      playFaults({ own, gateways: GATEWAYS, record, random: random.fork(), isOver }),
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
  random: ReturnType<typeof randomFrom>,
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
