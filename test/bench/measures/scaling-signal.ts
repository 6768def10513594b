import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { readMetric } from '../../support/replicas.ts';
import { openSlowEndpoints, registerEndpoints, removeEndpoints } from '../../support/webhook-load.ts';
import type { Bench } from '../bench.ts';
import { round, type Figure } from '../ratios.ts';

const IN_FLIGHT = 40;
const ENDPOINTS = 40;
/** Events that are due at the dead endpoints, and at the slow ones. */
const FAILING_EVENTS = 40;
const SIGNALS = {
  due: 'gp_webhook_due_deliveries',
  oldest: 'gp_webhook_oldest_due_seconds',
  pool: 'gp_webhook_pool_used_ratio',
} as const;
type Signals = Record<keyof typeof SIGNALS, number>;

/**
 * The autoscaler's signal from one dispatcher in the two situations that it must distinguish: more is due than one
 * dispatcher can send, and much is due at endpoints that are dead, which no number of dispatchers changes.
 */
export async function measureScalingSignal({ stack, own, merchant, seconds, say }: Bench): Promise<Figure[]> {
  await own.opened.processes.get('webhook-dispatcher')?.stop();
  const replica = await own.opened.startReplica('webhook-dispatcher', { MAX_IN_FLIGHT: String(IN_FLIGHT) });
  const look = async (): Promise<Signals> => {
    await delay(seconds * 1_000);
    const seen = await Promise.all(Object.values(SIGNALS).map((name) => readMetric(replica, name)));
    return Object.fromEntries(Object.keys(SIGNALS).map((key, at) => [key, seen[at]])) as Signals;
  };
  try {
    const endpoints = await openSlowEndpoints(stack, merchant, { count: ENDPOINTS, answerAfterMs: 500 });
    const owed = await endpoints.publish(Math.ceil((IN_FLIGHT * 2 * (seconds + 3)) / ENDPOINTS));
    const overload = await look();
    await endpoints.heard(owed, 120_000);
    const urls = await deadUrls(10);
    const dead = await registerEndpoints(stack, merchant, urls);
    await endpoints.publish(FAILING_EVENTS);
    await endpoints.heard(owed + FAILING_EVENTS * ENDPOINTS, 300_000);
    const hopeless = await look();
    await removeEndpoints(stack, merchant, dead);
    await endpoints.close();
    for (const [situation, { due, oldest, pool }] of Object.entries({ overload, hopeless }))
      say(`${situation}: ${due} due, oldest ${round(oldest, 1)} s, pool used ${round(pool)}`);
    return [buildFigure(overload, hopeless)];
  } finally {
    await replica.stop();
    await own.opened.processes.get('webhook-dispatcher')?.start();
  }
}

function buildFigure(overload: Signals, hopeless: Signals): Figure {
  const show = ({ due, oldest, pool }: Signals) =>
    `${due} due, oldest ${round(oldest, 0)} s, pool ${round(pool)}`;
  return {
    id: 'scaling-signal',
    what: 'signals of a dispatcher that has too much to do / whose endpoints are dead',
    value: `${show(overload)} / ${show(hopeless)}`,
    goal: 'pool ≥0.9 / ≤0.5',
    reached: overload.pool >= 0.9 && hopeless.pool <= 0.5,
    detail: { overload: show(overload), hopeless: show(hopeless) },
  };
}

/** Addresses without a listener. */
async function deadUrls(count: number): Promise<string[]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return Array.from({ length: count }, (_, index) => `http://127.0.0.1:${port}/dead/${index}`);
}
