import { Pool } from 'undici';
import type { Bench } from '../bench.ts';
import { createPost } from '../load/create-post.ts';
import { flood } from '../load/flood.ts';
import { openLoop } from '../load/open-loop.ts';
import { saturate, type Post } from '../load/wrk.ts';
import { ratios, round, type Figure } from '../ratios.ts';

const CONNECTIONS = 64;
const TIMES = 2;

/** P11: the tail of creates at 80 % of the capacity against 20 %, and what succeeds at twice the capacity. */
export async function measureOverload({ stack, merchant, rounds, seconds, say }: Bench): Promise<Figure[]> {
  const post = createPost(stack.api, merchant.test_key);
  const [busy, quiet, good, capacities, late]: number[][] = [[], [], [], [], []] as const;
  let [refused, other] = [0, 0];
  for (let turn = 0; turn < rounds; turn++) {
    const capacity = await saturate(post, { seconds, connections: CONNECTIONS });
    quiet?.push(await p99(post, capacity * 0.2, seconds));
    busy?.push(await p99(post, capacity * 0.8, seconds));
    const flooded = await flood(post, { perSecond: capacity * TIMES, seconds });
    capacities?.push(capacity);
    good?.push(flooded.goodPerSecond);
    late?.push(flooded.refusedP99Ms);
    refused += flooded.refused;
    other += flooded.other;
    say(
      `capacity ${round(capacity, 0)}/s; p99 ${round(quiet?.at(-1) ?? NaN, 0)} ms at 20 %, ${round(busy?.at(-1) ?? NaN, 0)} ms at 80 %; ` +
        `${round(flooded.sentPerSecond, 0)}/s sent, ${round(flooded.goodPerSecond, 0)}/s good, ${flooded.refused} refused within ${round(flooded.refusedP99Ms, 0)} ms (p99), ${flooded.other} otherwise`,
    );
  }
  const tail = ratios(busy ?? [], quiet ?? []);
  const goodput = ratios(good ?? [], capacities ?? []);
  const slowest = Math.max(...(late ?? []));
  return [
    {
      id: 'P11-tail',
      what: 'create, open loop: p99 at 80 % of the capacity / at 20 %',
      value: `${round(tail.median, 1)} (${round(tail.min, 1)}–${round(tail.max, 1)})`,
      goal: '≤4',
      reached: tail.median <= 4,
      detail: { ratio: round(tail.median) },
    },
    {
      id: 'P11-overload',
      what: `creates that succeed at ${TIMES} times the capacity / at the capacity; the rest is refused`,
      value: `${round(goodput.median)} (${round(goodput.min)}–${round(goodput.max)}); ${refused} refused, p99 within ${round(slowest, 0)} ms; ${other} answered otherwise`,
      goal: '≥0.9, <50 ms',
      reached: goodput.median >= 0.9 && slowest < 50 && other === 0,
      detail: { ratio: round(goodput.median), refused, other },
    },
  ];
}

async function p99(post: Post, perSecond: number, seconds: number): Promise<number> {
  const { origin, pathname: path } = new URL(post.url);
  const pool = new Pool(origin, { connections: CONNECTIONS });
  try {
    const { p99Ms } = await openLoop({
      perSecond,
      seconds,
      async send() {
        const answer = await pool.request({ method: 'POST', path, headers: post.headers, body: post.body });
        await answer.body.dump();
        return answer.statusCode === 201;
      },
    });
    return p99Ms;
  } finally {
    await pool.close();
  }
}
