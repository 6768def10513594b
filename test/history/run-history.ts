import pg from 'pg';
import { pspCodes } from '@gp/gateway-registry';
import type { OwnStack } from '../support/own-stack.ts';
import { brokenPromises } from '../support/promises.ts';
import { findMerchant, type Merchant } from '../support/stack.ts';
import { openHistoryClient, type Client } from './client.ts';
import type { Contradiction } from './contradiction.ts';
import { payOneEach, refundOneOfEach } from './each-gateway.ts';
import { openEndpoints } from './endpoints.ts';
import { contradictions } from './judge.ts';
import { openGroups, refundNowAndThen, switchGateways, travelNowAndThen } from './merchants.ts';
import { payer, type Crowd } from './payers.ts';
import type { HistoryPlan } from './plan.ts';
import { randomFrom, type Random } from './random.ts';
import { count, type ClientRecord } from './record.ts';
import { comesToRest } from './settle.ts';
import type { StoredHistory } from './stored-history.ts';
import { calm, killProcesses, playFaults } from './trouble.ts';
import { readViews, type HeardEvent, type Views } from './views.ts';

/** People who refund at the same time: some meet at one group. */
const REFUNDERS = 3;
/** Requests that are sent once more at the end, under the key they had. */
const REPEATS = 25;
const A_DAY_SECONDS = 25 * 3_600;
/** Share of the deliveries that a merchant's server has no time for; seven in a row would lose an event. */
const BUSY = 0.03;

export type History = {
  readonly views: Views;
  readonly found: readonly Contradiction[];
  /** What the next part of the history has to know. */
  readonly stored: StoredHistory;
};

/**
 * Lets a crowd pay the bills of many groups while gateways misbehave and processes are killed, waits for the platform to
 * come to rest, and answers in what the four views of it (API, ledger, the gateways' books, webhooks) contradict, from the
 * first part of the history on.
 */
export async function runHistory(own: OwnStack, plan: HistoryPlan, before: StoredHistory): Promise<History> {
  const random = randomFrom(plan.seed);
  const { record } = before;
  // Between two parts every process was stopped and started.
  if (before.parts > 0) count(record, 'restart platform');
  const merchants = [...pspCodes, 'multi'].map((gateway) => findMerchant(own.stack, gateway));
  const clients = merchants.map((merchant) => openHistoryClient(own.stack, merchant, record));
  const isBusy = busyNowAndThen(record, random.fork());
  const known = before.endpoints;
  const endpoints = await openEndpoints({ stack: own.stack, merchants, known, isBusy });
  const listHeard = () => listOnce([...before.heard, ...endpoints.listHeard()]);
  const listRefused = () => [...before.refused, ...endpoints.listRefused()];
  const database = new pg.Client({ connectionString: own.stack.postgres });
  let judged: Omit<History, 'stored'>;
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
    await refundOneOfEach(database, clients);
    await comesToRest(database, rest);
    const views = await readViews({ stack: own.stack, database, heard: listHeard(), clients, record });
    const found = [
      ...contradictions(views),
      ...listRefused(),
      ...(await brokenPromises(own.stack)).map((row) => JSON.stringify(row)),
      ...(await answeredOtherwise(clients, random)),
    ];
    judged = { views, found };
  } finally {
    await database.end();
    await endpoints.close();
  }
  const stored: StoredHistory = {
    ...{ version: before.version, state: judged.found.length === 0 ? 'agreed' : 'contradicted' },
    ...{ parts: before.parts + 1, minutes: before.minutes + plan.troubleMs / 60_000 },
    // The endpoints are closed: what came during the judgement is known to the next part.
    ...{ endpoints: endpoints.endpoints, record, heard: listHeard(), refused: listRefused() },
  };
  return { ...judged, stored };
}

/** Drops repeats by id, as receivers do: an event may be delivered again in another part. */
function listOnce(events: readonly HeardEvent[]): HeardEvent[] {
  return [...new Map(events.map((event) => [event.id, event])).values()];
}

/** Work that waits for its time gets it: an hour of every merchant's time per step, less than a hold lasts. */
function buildHurry(own: OwnStack, clients: readonly Client[]): () => Promise<boolean> {
  let hoursLeft = 96;
  return async () => {
    await calm(own);
    if (hoursLeft === 0) return false;
    hoursLeft -= 1;
    await Promise.all(clients.map((client) => client.travel(3_600)));
    return true;
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

/** Requests of this part that get another answer than the one they had under the same key. */
async function answeredOtherwise(clients: readonly Client[], random: Random): Promise<Contradiction[]> {
  const done = clients.flatMap((client) => client.acknowledged.map((request) => ({ client, request })));
  const found: Contradiction[] = [];
  for (const { client, request } of random.some(done, REPEATS)) {
    const again = await client.repeat(request);
    if (JSON.stringify(again?.body) !== JSON.stringify(request.answer))
      found.push(`${request.path} under key ${request.key} is answered otherwise the second time`);
  }
  return found;
}
