import { setTimeout as delay } from 'node:timers/promises';
import { openBus, type Bus } from '@gp/bus';
import { publicEventSubject } from '@gp/contracts';
import { ensureDatabase } from '@gp/pg';
import pg from 'pg';
import { newEvent, registerEndpoints, removeEndpoints } from '../../support/webhook-load.ts';
import type { Bench } from '../bench.ts';
import { computeSpread, ratios, round, type Figure } from '../ratios.ts';
import { startProgram, type Peer } from '../start-peer.ts';

const ENDPOINTS = 20;
const DELIVERIES = 20_000;
/** A short run, asked for with `--seconds`, sends fewer. */
const DELIVERIES_PER_SECOND_ASKED = 4_000;
/** Published at once: the ledger's outbox hands over batches too. */
const BATCH = 100;
const POLL_MS = 100;
const GIVE_UP_AFTER_MS = 180_000;
const GOAL = 1.2;

/** P3: durable deliveries a second to healthy endpoints that answer at once, against graphile-worker tuned. */
export async function measureDeliveries({ stack, merchant, rounds, seconds, say }: Bench): Promise<Figure[]> {
  const events = Math.ceil(Math.min(DELIVERIES, seconds * DELIVERIES_PER_SECOND_ASKED) / ENDPOINTS);
  const count = events * ENDPOINTS;
  const receiver = await startProgram('receiver', {});
  const urls = Array.from({ length: ENDPOINTS }, (_, index) => `${receiver.url}/hooks/${index}`);
  const databaseUrl = await ensureDatabase(stack.postgres, 'bench_graphile');
  const graphile = await startProgram('graphile', {
    env: { DATABASE_URL: databaseUrl, URLS: urls.join(' ') },
  });
  const bus = await openBus({
    servers: stack.nats,
    name: 'bench',
    nkeySeed: stack.nats_seeds.administrator,
  });
  const database = new pg.Client({ connectionString: stack.postgres });
  await database.connect();
  const ids = await registerEndpoints(stack, merchant, urls);
  const rates: { ours: number[]; graphile: number[] } = { ours: [], graphile: [] };
  const sendOurs = () => dispatch({ bus, database, merchantId: merchant.merchant_id, events, count });
  const sendGraphile = () => request(`${graphile.url}/?count=${count}`, 'POST');
  try {
    // Endpoints are trusted with more at once after they have answered; both sides compile their code.
    await rate(receiver, count, sendOurs);
    await rate(receiver, count, sendGraphile);
    for (let turn = 0; turn < rounds; turn++) {
      rates.ours.push(await rate(receiver, count, sendOurs));
      rates.graphile.push(await rate(receiver, count, sendGraphile));
      say(
        `${count}: ${round(rates.ours.at(-1) ?? NaN, 0)}/s, graphile-worker ${round(rates.graphile.at(-1) ?? NaN, 0)}/s`,
      );
    }
  } finally {
    await removeEndpoints(stack, merchant, ids);
    await database.end();
    await bus.close();
    graphile.stop();
    receiver.stop();
  }
  return [buildFigure(rates)];
}

function buildFigure(rates: { readonly ours: number[]; readonly graphile: number[] }): Figure {
  const ratio = ratios(rates.ours, rates.graphile);
  const ours = round(computeSpread(rates.ours).median, 0);
  const reference = round(computeSpread(rates.graphile).median, 0);
  return {
    id: 'P3a',
    what: `durable deliveries/s to ${ENDPOINTS} healthy endpoints / graphile-worker tuned`,
    value: `${round(ratio.median)} (${round(ratio.min)}–${round(ratio.max)}), ${ours}/s against ${reference}/s`,
    goal: `≥${GOAL}`,
    reached: ratio.median >= GOAL,
    detail: { ratio: round(ratio.median, 3), ours, reference },
  };
}

/** Deliveries a second of one round; throws unless the receiver has each of them. Repeats are allowed and rare. */
async function rate(receiver: Peer, count: number, work: () => Promise<unknown>): Promise<number> {
  await request(`${receiver.url}/counts`, 'DELETE');
  const startedAt = performance.now();
  await work();
  const elapsed = (performance.now() - startedAt) / 1_000;
  const { different } = JSON.parse(await request(`${receiver.url}/counts`, 'GET')) as { different: number };
  if (different !== count) throw new Error(`${different} of ${count} deliveries arrived`);
  return count / elapsed;
}

/** Publishes events and waits until every delivery of them is recorded as delivered. */
async function dispatch(o: {
  bus: Bus;
  database: pg.Client;
  merchantId: string;
  events: number;
  count: number;
}): Promise<void> {
  const all = Array.from({ length: o.events }, () => newEvent(o.merchantId));
  for (let first = 0; first < all.length; first += BATCH)
    await Promise.all(
      all.slice(first, first + BATCH).map((event) => {
        const subject = publicEventSubject(event.type, event.group_id);
        return o.bus.publish({ id: event.id, subject, payload: event, mode: event.mode });
      }),
    );
  const ids = all.map(({ id }) => id);
  for (const giveUpAt = Date.now() + GIVE_UP_AFTER_MS; ; await delay(POLL_MS)) {
    const { rows } = await o.database.query<{ delivered: number }>(
      `select count(*)::int as delivered from webhooks.deliveries where event_id = any ($1) and status = 'delivered'`,
      [ids],
    );
    const delivered = rows[0]?.delivered ?? 0;
    if (delivered === o.count) return;
    if (Date.now() > giveUpAt) throw new Error(`${delivered} of ${o.count} deliveries are recorded`);
  }
}

async function request(url: string, method: string): Promise<string> {
  const answer = await fetch(url, { method, signal: AbortSignal.timeout(GIVE_UP_AFTER_MS) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${text}`);
  return text;
}
