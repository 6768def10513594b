import type { Replica } from '@gp/stack';
import { eventually } from '@gp/testing';
import { send } from '../../support/api.ts';
import { newGroup, openApi, payer, paySlot } from '../../support/journey.ts';
import { askLedger } from '../../support/ledger.ts';
import { openOwnStack, type OwnStack } from '../../support/own-stack.ts';
import { startAgain } from '../../support/replicas.ts';
import { findMerchant, type StackFile } from '../../support/stack.ts';
import type { Bench } from '../bench.ts';
import { computeSpread, ratios, round, type Figure } from '../ratios.ts';

const COUNTS = [1, 2, 4] as const;
const GATEWAY = 'gateway_a';
const ANSWER_AFTER_MS = 500;
/** Orders that one replica has in hand: few, so that waiting for the gateway and not this machine is the limit. */
const IN_HAND = 4;
const LIMITS = {
  GATEWAY_CONCURRENCY: String(IN_HAND),
  MERCHANT_CONCURRENCY: String(IN_HAND),
  ACCOUNT_CALLS_PER_SECOND: '1000',
};
/** Holds to release for each replica at work: some three seconds for any number of replicas. */
const HOLDS_EACH = 24;

/**
 * P13-adapters: holds a second that one, two and four adapters of a gateway release, whose gateway takes half a second for
 * each answer. In a stack of its own.
 */
export async function measureScalingAdapters({ rounds, say }: Bench): Promise<Figure[]> {
  const own = await openOwnStack({ GP_SET_NODE_ENV: 'production' });
  try {
    await own.opened.processes.get('gateway-a')?.stop();
    const replicas: Replica[] = [];
    for (let number = 0; number < Math.max(...COUNTS); number++)
      replicas.push(await own.opened.startReplica('gateway-a', LIMITS));
    const rates = new Map<number, number[]>(COUNTS.map((count) => [count, []]));
    for (let turn = 0; turn < rounds; turn++)
      for (const count of COUNTS) {
        await Promise.all(replicas.slice(count).map((replica) => replica.stop()));
        const perSecond = await releasesPerSecond(own, count * HOLDS_EACH);
        rates.get(count)?.push(perSecond);
        say(`${count} replicas: ${round(perSecond, 1)}/s`);
        await Promise.all(replicas.slice(count).map(startAgain));
      }
    return [buildFigure(rates)];
  } finally {
    await own.close();
  }
}

function buildFigure(rates: ReadonlyMap<number, readonly number[]>): Figure {
  const one = rates.get(1) ?? [];
  const [two, four] = [ratios(rates.get(2) ?? [], one), ratios(rates.get(4) ?? [], one)];
  const perSecond = COUNTS.map((count) => round(computeSpread(rates.get(count) ?? []).median, 1)).join(', ');
  return {
    id: 'P13-adapters',
    what: `holds/s that 1, 2, 4 adapters release, ${IN_HAND} at once each, the gateway answering after ${ANSWER_AFTER_MS} ms`,
    value: `${perSecond}; ×${round(two.median)}, ×${round(four.median)}`,
    goal: '×≥1.8, ×≥3.2',
    reached: two.median >= 1.8 && four.median >= 3.2,
    detail: { two: round(two.median), four: round(four.median) },
  };
}

/** Has so many slots of one group held, then cancels it; measures until the last hold is released. */
async function releasesPerSecond({ stack }: OwnStack, holds: number): Promise<number> {
  const api = openApi(stack, findMerchant(stack, GATEWAY));
  // One slot stays free, so that nothing is captured.
  const group = await newGroup(api, holds + 1);
  const { id } = group.group_payment;
  for (let index = 0; index < holds; index++) await paySlot(stack, api, group, index, payer(`held${index}`));
  await paymentsBecome(stack, id, 'preauthorised', holds);
  await setLatency(ANSWER_AFTER_MS);
  const startedAt = performance.now();
  await api.client.cancelGroupPayment(id);
  await paymentsBecome(stack, id, 'voided', holds);
  const seconds = (performance.now() - startedAt) / 1_000;
  await setLatency(0);
  return holds / seconds;

  async function setLatency(ms: number): Promise<void> {
    await send('POST', `${stack.sandbox}/control/latency`, { gateway: GATEWAY, ms });
  }
}

/** Waits until so many payments of the group are in this state. */
async function paymentsBecome(
  stack: StackFile,
  groupId: string,
  state: string,
  count: number,
): Promise<void> {
  await eventually(async () => {
    const [found] = await askLedger<{ count: string }>(
      stack,
      'select count(*) from intents where group_id = $1 and state = $2',
      [groupId, state],
    );
    return Number(found?.count) === count ? true : undefined;
  });
}
