import { Pool } from 'undici';
import { openLoop, type Latencies } from '../load/open-loop.ts';
import { saturate, type Post } from '../load/wrk.ts';
import { round, type Figure } from '../ratios.ts';
import { startMonolith } from '../start-peer.ts';
import type { Bench } from '../bench.ts';
import { createPost } from '../load/create-post.ts';

/** P5: what the extra hop costs one caller at half load, against Express and the driver alone; open loop. */
export async function measureHop({ stack, merchant, seconds, say }: Bench): Promise<Figure[]> {
  const monolith = await startMonolith(stack);
  try {
    const subject = createPost(stack.api, merchant.test_key);
    const reference = createPost(monolith.url, 'x');
    const capacity = await saturate(subject, {
      seconds: Math.max(2, Math.round(seconds / 2)),
      connections: 64,
    });
    const perSecond = Math.floor(capacity / 2);
    const api: Latencies[] = [];
    const direct: Latencies[] = [];
    for (let turn = 0; turn < 3; turn++) {
      direct.push(await latencies(reference, perSecond, seconds));
      api.push(await latencies(subject, perSecond, seconds));
      say(`at ${perSecond}/s: api p50 ${api.at(-1)?.p50Ms} ms, direct p50 ${direct.at(-1)?.p50Ms} ms`);
    }
    const extra = (pick: (l: Latencies) => number) => best(api, pick) - best(direct, pick);
    const p50 = extra((l) => l.p50Ms);
    const p99 = extra((l) => l.p99Ms);
    return [
      {
        id: 'P5',
        what: `hop cost at 50 % load (${perSecond}/s), open loop: api − monolith`,
        value: `+${round(p50)} ms p50, +${round(p99)} ms p99`,
        goal: '≤+0.5 p50, ≤+2 p99',
        reached: p50 <= 0.5 && p99 <= 2,
        detail: {
          per_second: perSecond,
          api_p50_ms: round(best(api, (l) => l.p50Ms)),
          api_p99_ms: round(best(api, (l) => l.p99Ms)),
        },
      },
    ];
  } finally {
    monolith.stop();
  }
}

/** The round the neighbours of this machine disturbed least. */
function best(rounds: readonly Latencies[], pick: (l: Latencies) => number): number {
  return Math.min(...rounds.map(pick));
}

async function latencies(post: Post, perSecond: number, seconds: number): Promise<Latencies> {
  const { origin, pathname } = new URL(post.url);
  const pool = new Pool(origin, { connections: 64 });
  try {
    return await openLoop({
      perSecond,
      seconds,
      async send() {
        const answer = await pool.request({
          method: 'POST',
          path: pathname,
          headers: post.headers,
          body: post.body,
        });
        await answer.body.dump();
        return answer.statusCode === 201;
      },
    });
  } finally {
    await pool.close();
  }
}
