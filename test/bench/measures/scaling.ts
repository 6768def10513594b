import type { Replica } from '@gp/stack';
import { startAgain } from '../../support/replicas.ts';
import { openSlowEndpoints } from '../../support/webhook-load.ts';
import type { Bench } from '../bench.ts';
import { cpuSeconds } from '../cpu.ts';
import { ratios, round, computeSpread, type Figure } from '../ratios.ts';

const COUNTS = [1, 2, 4] as const;
const ENDPOINTS = 40;
const ANSWER_AFTER_MS = 500;
/** Requests one replica may have under way: small, so that waiting and not this machine's cores is the limit. */
const IN_FLIGHT = 40;
/** The highest rate that one replica can send, per second. */
const IDEAL = IN_FLIGHT / (ANSWER_AFTER_MS / 1_000);
/** Endpoints are trusted with more only once they have answered. */
const WARM_UP_MS = 3_000;
/** Waiting decides these rates, and not the machine: a third round tells nothing more. */
const ROUNDS = 2;

/** P13-dispatchers: deliveries a second of one, two and four dispatchers to endpoints that take half a second to answer. */
export async function measureScaling({ stack, own, merchant, seconds, say }: Bench): Promise<Figure[]> {
  await own.opened.processes.get('webhook-dispatcher')?.stop();
  const replicas: Replica[] = [];
  for (let number = 0; number < Math.max(...COUNTS); number++)
    replicas.push(await own.opened.startReplica('webhook-dispatcher', { MAX_IN_FLIGHT: String(IN_FLIGHT) }));
  const endpoints = await openSlowEndpoints(stack, merchant, {
    count: ENDPOINTS,
    answerAfterMs: ANSWER_AFTER_MS,
  });
  const rates = new Map<number, number[]>(COUNTS.map((count) => [count, []]));
  let owed = 0;
  try {
    for (let turn = 0; turn < ROUNDS; turn++)
      for (const count of COUNTS) {
        await Promise.all(replicas.map((replica) => replica.stop()));
        const due = IDEAL * count * (seconds + WARM_UP_MS / 1_000);
        owed += await endpoints.publish(Math.ceil(due / ENDPOINTS));
        await Promise.all(replicas.slice(0, count).map(startAgain));
        const { perSecond, cores } = await measureRate(stack, endpoints.arrivals, seconds);
        rates.get(count)?.push(perSecond);
        say(`${count} replicas: ${round(perSecond, 0)}/s of ${IDEAL * count}, ${round(cores)} cores in use`);
        await endpoints.heard(owed, 120_000);
      }
  } finally {
    await endpoints.close();
    await Promise.all(replicas.map((replica) => replica.stop()));
    await own.opened.processes.get('webhook-dispatcher')?.start();
  }
  const one = rates.get(1) ?? [];
  const [two, four] = [ratios(rates.get(2) ?? [], one), ratios(rates.get(4) ?? [], one)];
  const perSecond = COUNTS.map((count) => round(computeSpread(rates.get(count) ?? []).median, 0)).join(', ');
  return [
    {
      id: 'P13-dispatchers',
      what: `deliveries/s of 1, 2, 4 dispatchers, endpoints answering after ${ANSWER_AFTER_MS} ms`,
      value: `${perSecond}; ×${round(two.median)}, ×${round(four.median)}`,
      goal: '×≥1.8, ×≥3.2',
      reached: two.median >= 1.8 && four.median >= 3.2,
      detail: { repeats: endpoints.repeats(), owed },
    },
  ];
}

/** Arrivals of a second once the lanes are open, and the cores the whole stack used meanwhile. */
async function measureRate(
  stack: Bench['stack'],
  arrivals: ReadonlyMap<string, readonly number[]>,
  seconds: number,
): Promise<{ perSecond: number; cores: number }> {
  const before = arrivals.size;
  while (arrivals.size === before) await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
  const [from, at, cpu] = [arrivals.size, performance.now(), await cpuSeconds(stack)];
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  const took = (performance.now() - at) / 1_000;
  return { perSecond: (arrivals.size - from) / took, cores: ((await cpuSeconds(stack)) - cpu) / took };
}
