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
  GP_SET_GATEWAY_CONCURRENCY: String(IN_HAND),
  GP_SET_MERCHANT_CONCURRENCY: String(IN_HAND),
  GP_SET_ACCOUNT_CALLS_PER_SECOND: '1000',
};
/** Holds of one group; each replica at work has a group to release, which takes it some three seconds. */
const HOLDS_EACH = 24;
/** Waiting decides these rates, and not the machine: a third round tells nothing more. */
const ROUNDS = 2;

/**
 * P13-adapters: holds a second that one, two and four adapters of a gateway release, whose gateway takes half a second for
 * each answer. In a stack of its own.
 */
export async function measureScalingAdapters({ say }: Bench): Promise<Figure[]> {
  const own = await openOwnStack({ GP_SET_NODE_ENV: 'production', ...LIMITS });
  try {
    // The gateway's callbacks go to the first process, which stays.
    const replicas: Replica[] = [];
    for (let number = 1; number < Math.max(...COUNTS); number++)
      replicas.push(await own.opened.startReplica('gateway-a'));
    const rates = new Map<number, number[]>(COUNTS.map((count) => [count, []]));
    for (let turn = 0; turn < ROUNDS; turn++)
      for (const count of COUNTS) {
        await Promise.all(replicas.slice(count - 1).map((replica) => replica.stop()));
        const perSecond = await releasesPerSecond(own, count);
        rates.get(count)?.push(perSecond);
        say(`${count} replicas: ${round(perSecond, 1)}/s`);
        await Promise.all(replicas.slice(count - 1).map(startAgain));
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

/** Has slots of so many groups held, then cancels these groups; measures until the last hold is released. */
async function releasesPerSecond({ stack }: OwnStack, groups: number): Promise<number> {
  const api = openApi(stack, findMerchant(stack, GATEWAY));
  const hold = async (): Promise<string> => {
    // One slot stays free, so that nothing is captured.
    const group = await newGroup(api, HOLDS_EACH + 1);
    for (let index = 0; index < HOLDS_EACH; index++)
      await paySlot(stack, api, group, index, payer(`held${index}`));
    return group.group_payment.id;
  };
  const ids = await Promise.all(Array.from({ length: groups }, hold));
  const holds = groups * HOLDS_EACH;
  await paymentsBecome(stack, ids, 'preauthorised', holds);
  await setLatency(ANSWER_AFTER_MS);
  const startedAt = performance.now();
  await Promise.all(ids.map((id) => api.client.cancelGroupPayment(id)));
  await paymentsBecome(stack, ids, 'voided', holds);
  const seconds = (performance.now() - startedAt) / 1_000;
  await setLatency(0);
  return holds / seconds;

  async function setLatency(ms: number): Promise<void> {
    await send('POST', `${stack.sandbox}/control/latency`, { gateway: GATEWAY, ms });
  }
}

/** Waits until so many payments of these groups are in this state. */
async function paymentsBecome(
  stack: StackFile,
  groupIds: readonly string[],
  state: string,
  count: number,
): Promise<void> {
  await eventually(async () => {
    const [found] = await askLedger<{ count: string }>(
      stack,
      'select count(*) from intents where group_id = any($1) and state = $2',
      [groupIds, state],
    );
    return Number(found?.count) === count ? true : undefined;
  });
}
