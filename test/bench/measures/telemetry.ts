import { setTimeout as delay } from 'node:timers/promises';
import { receiveTraces } from '@gp/stack';
import { openOwnStack } from '../../support/own-stack.ts';
import { findMerchant } from '../../support/stack.ts';
import type { Bench } from '../bench.ts';
import { platformCpuSeconds } from '../cpu.ts';
import { pace } from '../load/paced.ts';
import { openTills } from '../load/pay.ts';
import { computeSpread, ratios, round, type Figure } from '../ratios.ts';

const PER_SECOND = 4;
const IDLE_MS = 6_000;
const AFTER_MS = 1_000;
const WARM_UP = 20;
const GOAL = 1.15;
const OFF = { OTEL_SDK_DISABLED: 'true', LOG_LEVEL: 'silent' };
/** As installed: the share of traces is the default's. */
const ON = { TRACE_SAMPLE_RATIO: '0.05', LOG_LEVEL: 'info' };

/** P12: CPU of whole payments with tracing at 5 % and logs / without both, in two stacks that take turns. */
export async function measureTelemetry({ rounds, seconds, say }: Bench): Promise<Figure[]> {
  await using opened = new AsyncDisposableStack();
  let bytes = 0;
  const collector = opened.adopt(await receiveTraces(0, (body) => void (bytes += body.length)), (receiver) =>
    receiver.close(),
  );
  const on = opened.use(await openPayments({ ...ON, ...collector.settings }));
  const off = opened.use(await openPayments(OFF));
  const [withBoth, without]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < rounds; turn++) {
    withBoth.push(await on.measureCpuMs(seconds));
    without.push(await off.measureCpuMs(seconds));
    say(`with ${round(withBoth.at(-1) ?? NaN, 1)} ms, without ${round(without.at(-1) ?? NaN, 1)} ms`);
  }
  if (bytes === 0) throw new Error('no trace was sent');
  const ratio = ratios(withBoth, without);
  return [
    {
      id: 'P12-telemetry',
      what: 'CPU of a whole payment of one slot, sandbox aside: tracing at 5 % and logs / both off',
      value: `${round(ratio.median)} (${round(ratio.min)}–${round(ratio.max)}); ${round(computeSpread(withBoth).median, 1)} and ${round(computeSpread(without).median, 1)} ms`,
      goal: `≤${GOAL}`,
      reached: ratio.median <= GOAL,
      detail: { ratio: round(ratio.median, 3) },
    },
  ];
}

type Payments = AsyncDisposable & {
  /** CPU of one payment, of which some are made a second for so long; an idle stack's share is taken off. */
  measureCpuMs(seconds: number): Promise<number>;
};

/** Opens a stack with these settings, of which one merchant takes payments. */
async function openPayments(settings: NodeJS.ProcessEnv): Promise<Payments> {
  await using opening = new AsyncDisposableStack();
  const own = await openOwnStack({ GP_SET_NODE_ENV: 'production', ...settings });
  opening.defer(() => own.close());
  const { stack } = own;
  const tills = opening.adopt(await openTills(stack, [findMerchant(stack, 'gateway_a')]), (open) =>
    open.close(),
  );
  for (let index = 0; index < WARM_UP; index++) await tills.pay(index);
  const measure = async (work: () => Promise<unknown>): Promise<number> => {
    const before = await platformCpuSeconds(stack);
    await work();
    return 1_000 * ((await platformCpuSeconds(stack)) - before);
  };
  const idleMsPerMs = (await measure(() => delay(IDLE_MS))) / IDLE_MS;
  const opened = opening.move();
  return {
    async measureCpuMs(seconds) {
      const usedMs = await measure(async () => {
        await pace({ count: PER_SECOND * seconds, perSecond: PER_SECOND, work: tills.pay });
        await delay(AFTER_MS);
      });
      return (usedMs - idleMsPerMs * (1_000 * seconds + AFTER_MS)) / (PER_SECOND * seconds);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
