import { residentMb } from '../cpu.ts';
import { saturate } from '../load/wrk.ts';
import { round, type Figure } from '../ratios.ts';
import { services } from '../../support/services.ts';
import type { Bench } from '../bench.ts';
import { createPost } from '../load/create-post.ts';

/** P15: resident memory of the largest service, at rest and under load. */
export async function measureMemory({ stack, merchant, seconds, say }: Bench): Promise<Figure[]> {
  const rest = await largest(stack);
  await saturate(createPost(stack.api, merchant.test_key), { seconds: seconds * 2, connections: 64 });
  const load = await largest(stack);
  say(`at rest ${rest.all}; under load ${load.all}`);
  return [
    {
      id: 'P15',
      what: `resident memory of the largest service, at rest (${rest.name}) / under load (${load.name})`,
      value: `${round(rest.mb, 0)} MB / ${round(load.mb, 0)} MB`,
      goal: '≤110 / ≤180 MB',
      reached: rest.mb <= 110 && load.mb <= 180,
      detail: { rest_mb: round(rest.mb, 0), load_mb: round(load.mb, 0) },
    },
  ];
}

async function largest(stack: Bench['stack']) {
  const memory = [...(await residentMb(stack))].filter(([name]) => services.includes(name));
  const [name, mb] = memory.reduce((top, entry) => (entry[1] > top[1] ? entry : top), ['none', 0]);
  return { name, mb, all: memory.map(([service, size]) => `${service} ${Math.round(size)}`).join(', ') };
}
