import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { findMerchant, type StackFile } from '../../support/stack.ts';
import type { Bench } from '../bench.ts';
import { breakDown } from '../breakdown/breakdown.ts';
import { openProfiledStack, type ProfiledStack } from '../breakdown/profiles.ts';
import { cpuSecondsByProcess, SANDBOX } from '../cpu.ts';
import { createPost } from '../load/create-post.ts';
import { openDeliveryLoad } from '../load/deliveries.ts';
import { pace } from '../load/paced.ts';
import { openTills } from '../load/pay.ts';
import { round, type Figure } from '../ratios.ts';

const CREATES_PER_SECOND = 100;
const PAYMENTS_PER_SECOND = 4;
const DELIVERIES_PER_SECOND_ASKED = 1_000;
const ENDPOINTS = 20;
const IDLE_MS = 6_000;
/** What follows the last piece of work, such as callbacks. */
const AFTER_MS = 2_000;
/** Not of the platform. */
const STRANGERS = [SANDBOX, 'sample-shop'];

/** So many pieces of work of one kind. */
type Work = {
  readonly figure: Pick<Figure, 'id' | 'what'>;
  readonly count: number;
  run(count: number): Promise<void>;
};

/** Which processes and layers take the CPU of a create, of a whole payment and of a delivery; in a stack of its own. */
export async function measureBreakdown({ rounds, seconds, say }: Bench): Promise<Figure[]> {
  await using opened = new AsyncDisposableStack();
  const profiled = opened.use(await openProfiledStack());
  const { stack } = profiled.own;
  const works = await openWorks(stack, rounds * seconds, opened);
  for (const { run, count } of works) await run(Math.ceil(count / 4));
  const idle = await measureCpu(stack, () => delay(IDLE_MS));
  const figures: Figure[] = [];
  for (const work of works) figures.push(await measureWork(profiled, work, idle));
  for (const { id, value } of figures) say(`${id}: ${value}`);
  return figures;
}

async function openWorks(
  stack: StackFile,
  seconds: number,
  opened: AsyncDisposableStack,
): Promise<readonly Work[]> {
  const [shop, other] = [findMerchant(stack, 'gateway_a'), findMerchant(stack, 'gateway_b')];
  const api = opened.adopt(new Pool(stack.api, { connections: 16 }), (pool) => pool.close());
  const tills = opened.adopt(await openTills(stack, [shop]), (open) => open.close());
  const load = opened.use(await openDeliveryLoad(stack, other, ENDPOINTS));
  const { headers, body } = createPost('', shop.test_key);
  const create = async (): Promise<void> => {
    const answer = await api.request({ method: 'POST', path: '/v1/group-payments', headers, body });
    await answer.body.dump();
    if (answer.statusCode !== 201) throw new Error(`a create is answered by ${answer.statusCode}`);
  };
  return [
    {
      figure: { id: 'breakdown-create', what: 'a create of five slots' },
      count: CREATES_PER_SECOND * seconds,
      run: (count) => pace({ count, perSecond: CREATES_PER_SECOND, work: create }),
    },
    {
      figure: { id: 'breakdown-payment', what: 'a whole payment of one slot, from create to three webhooks' },
      count: PAYMENTS_PER_SECOND * seconds,
      run: (count) => pace({ count, perSecond: PAYMENTS_PER_SECOND, work: tills.pay }),
    },
    {
      figure: { id: 'breakdown-delivery', what: `a delivery, of an event to ${ENDPOINTS} endpoints` },
      count: DELIVERIES_PER_SECOND_ASKED * seconds,
      run: (count) => load.dispatch(Math.ceil(count / ENDPOINTS)),
    },
  ];
}

async function measureWork(profiled: ProfiledStack, work: Work, idle: Cpu): Promise<Figure> {
  const run = async (): Promise<void> => {
    await work.run(work.count);
    await delay(AFTER_MS);
  };
  // The work is done twice, because a profile costs CPU itself, also in a process that has nothing to do.
  const busy = await measureCpu(profiled.own.stack, run);
  const profiles = await profiled.profile(run);
  const usByProcess = new Map(
    [...busy.used]
      .filter(([name]) => !STRANGERS.includes(name))
      .map(([name, seconds]) => {
        const restSeconds = ((idle.used.get(name) ?? 0) * busy.seconds) / idle.seconds;
        return [name, (1e6 * Math.max(0, seconds - restSeconds)) / work.count];
      }),
  );
  const breakdown = breakDown(usByProcess, profiles);
  const us = [...usByProcess.values()].reduce((sum, each) => sum + each, 0);
  return {
    ...work.figure,
    value: us < 10_000 ? `${round(us, 0)} µs` : `${round(us / 1_000, 1)} ms`,
    goal: '',
    reached: true,
    detail: { us: round(us, 0), count: work.count },
    breakdown,
  };
}

/** CPU seconds by process of a time. */
type Cpu = { readonly seconds: number; readonly used: ReadonlyMap<string, number> };

async function measureCpu(stack: StackFile, work: () => Promise<unknown>): Promise<Cpu> {
  const [startedAt, before] = [performance.now(), await cpuSecondsByProcess(stack)];
  await work();
  const after = await cpuSecondsByProcess(stack);
  return {
    seconds: (performance.now() - startedAt) / 1_000,
    used: new Map([...after].map(([name, cpu]) => [name, cpu - (before.get(name) ?? 0)])),
  };
}
