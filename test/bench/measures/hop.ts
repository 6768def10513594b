import { Pool } from 'undici';
import { openLoop, type Latencies } from '../load/open-loop.ts';
import type { Post } from '../load/wrk.ts';
import { round, type Figure } from '../ratios.ts';
import { startMonolith } from '../start-peer.ts';
import type { Bench } from '../bench.ts';
import { createPost } from '../load/create-post.ts';

const LOADS = [
  { id: 'P5-50', perSecond: 50 },
  { id: 'P5-150', perSecond: 150 },
  { id: 'P5-300', perSecond: 300 },
] as const;
const ROUNDS = 3;
const MOST_MS = { p50: 1, p99: 3 };

/** P5: what the extra hops cost one caller, against Express and the driver alone; open loop at three rates. */
export async function measureHop({ stack, merchant, seconds, say }: Bench): Promise<Figure[]> {
  const monolith = await startMonolith(stack);
  try {
    const subject = createPost(stack.api, merchant.test_key);
    const reference = createPost(monolith.url, 'x');
    const figures: Figure[] = [];
    for (const load of LOADS) {
      const { perSecond } = load;
      const [api, direct]: [Latencies[], Latencies[]] = [[], []];
      for (let turn = 0; turn < ROUNDS; turn++) {
        direct.push(await latencies(reference, perSecond, seconds));
        api.push(await latencies(subject, perSecond, seconds));
        say(`at ${perSecond}/s: api p50 ${api.at(-1)?.p50Ms} ms, direct p50 ${direct.at(-1)?.p50Ms} ms`);
      }
      figures.push(buildFigure(load, api, direct));
    }
    return figures;
  } finally {
    monolith.stop();
  }
}

function buildFigure(
  { id, perSecond }: (typeof LOADS)[number],
  api: readonly Latencies[],
  direct: readonly Latencies[],
): Figure {
  const extra = (pick: (l: Latencies) => number) => best(api, pick) - best(direct, pick);
  const p50 = extra((l) => l.p50Ms);
  const p99 = extra((l) => l.p99Ms);
  return {
    id,
    what: `create at ${perSecond}/s, open loop: api − monolith`,
    value: `+${round(p50)} ms p50, +${round(p99)} ms p99`,
    goal: `≤+${MOST_MS.p50}, ≤+${MOST_MS.p99} ms`,
    reached: p50 <= MOST_MS.p50 && p99 <= MOST_MS.p99,
    detail: {
      api_p50_ms: round(best(api, (l) => l.p50Ms)),
      api_p99_ms: round(best(api, (l) => l.p99Ms)),
    },
  };
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
