import { setTimeout as delay } from 'node:timers/promises';
import { cpuSecondsByProcess } from '../cpu.ts';
import { round, type Figure } from '../ratios.ts';
import type { Bench } from '../bench.ts';

/** The processes compile and collect for some seconds after their start. */
const SETTLE_MS = 10_000;
const IDLE_SECONDS = 25;

/** P15: CPU of a stack that nobody uses. */
export async function measureIdle({ stack, say }: Bench): Promise<Figure[]> {
  await delay(SETTLE_MS);
  const before = await cpuSecondsByProcess(stack);
  await delay(1_000 * IDLE_SECONDS);
  const after = await cpuSecondsByProcess(stack);
  const used = [...after].map(([name, cpu]) => ({
    name,
    percent: (100 * (cpu - (before.get(name) ?? 0))) / IDLE_SECONDS,
  }));
  const percent = used.reduce((sum, one) => sum + one.percent, 0);
  const by = used
    .toSorted((a, b) => b.percent - a.percent)
    .filter((one) => one.percent >= 0.05)
    .map((one) => `${one.name} ${round(one.percent, 1)}`)
    .join(', ');
  say(`${round(percent, 1)} % of a core: ${by}`);
  return [
    {
      id: 'P15-idle',
      what: 'CPU of a stack that nobody uses, all processes',
      value: `${round(percent, 1)} % of a core (${by})`,
      goal: '≤1 %',
      reached: percent <= 1,
      detail: { percent: round(percent, 2) },
    },
  ];
}
