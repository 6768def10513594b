import { setTimeout as delay } from 'node:timers/promises';
import { cpuSecondsByProcess, residentMb } from '../cpu.ts';
import { saturate } from '../load/wrk.ts';
import { round, type Figure } from '../ratios.ts';
import { services } from '../../support/services.ts';
import type { Bench } from '../bench.ts';
import { createPost } from '../load/create-post.ts';

/** The processes compile and collect for some seconds after their start. */
const SETTLE_MS = 20_000;
const IDLE_SECONDS = 30;

/** P15: CPU of a stack that nobody uses, and resident memory of the largest service, at rest and under load. */
export async function measureMemory({ stack, merchant, seconds, say }: Bench): Promise<Figure[]> {
  await delay(SETTLE_MS);
  const idle = await measureIdle(stack);
  say(`CPU at rest, % of a core: ${idle.all}`);
  const rest = await largest(stack);
  await saturate(createPost(stack.api, merchant.test_key), { seconds: seconds * 2, connections: 64 });
  const load = await largest(stack);
  say(`at rest ${rest.all}; under load ${load.all}`);
  return [
    {
      id: 'P15-idle',
      what: 'CPU of a stack that nobody uses, all processes',
      value: `${round(idle.percent, 1)} % of a core`,
      goal: '≤1 %',
      reached: idle.percent <= 1,
      detail: { percent: round(idle.percent, 2) },
    },
    {
      id: 'P15',
      what: `resident memory of the largest service, at rest (${rest.name}) / under load (${load.name})`,
      value: `${round(rest.mb, 0)} MB / ${round(load.mb, 0)} MB`,
      goal: '≤110 / ≤200 MB',
      reached: rest.mb <= 110 && load.mb <= 200,
      detail: { rest_mb: round(rest.mb, 0), load_mb: round(load.mb, 0) },
    },
  ];
}

async function measureIdle(stack: Bench['stack']): Promise<{ percent: number; all: string }> {
  const before = await cpuSecondsByProcess(stack);
  await delay(1_000 * IDLE_SECONDS);
  const after = await cpuSecondsByProcess(stack);
  const used = [...after].map(([name, cpu]) => ({
    name,
    percent: (100 * (cpu - (before.get(name) ?? 0))) / IDLE_SECONDS,
  }));
  const percent = used.reduce((sum, one) => sum + one.percent, 0);
  return { percent, all: used.map((one) => `${one.name} ${round(one.percent, 1)}`).join(', ') };
}

async function largest(stack: Bench['stack']) {
  const memory = [...(await residentMb(stack))].filter(([name]) => services.includes(name));
  const [name, mb] = memory.reduce((top, entry) => (entry[1] > top[1] ? entry : top), ['none', 0]);
  return { name, mb, all: memory.map(([service, size]) => `${service} ${Math.round(size)}`).join(', ') };
}
