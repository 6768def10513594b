import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { round, computeSpread, type Figure } from '../ratios.ts';
import { cpuSeconds } from '../cpu.ts';
import type { Bench } from '../bench.ts';
import { createPost } from '../load/create-post.ts';

const REQUESTS = 400;
const AT_ONCE = 16;

/** CPU of the whole platform for a replayed create against a fresh one with a key, per request. */
export async function measureReplay({ stack, merchant, rounds, say }: Bench): Promise<Figure[]> {
  const post = createPost(stack.api, merchant.test_key);
  const pool = new Pool(stack.api, { connections: AT_ONCE });
  const shares: number[] = [];
  try {
    for (let turn = 0; turn < rounds; turn++) {
      const replayed = randomUUID();
      await send(pool, post, replayed);
      const fresh = await cost(stack, () => sendMany(pool, post, () => randomUUID()));
      const replay = await cost(stack, () => sendMany(pool, post, () => replayed));
      shares.push(replay / fresh);
      say(`fresh ${Math.round(fresh * 1e6)} µs, replay ${Math.round(replay * 1e6)} µs of CPU`);
    }
  } finally {
    await pool.close();
  }
  const share = computeSpread(shares);
  return [
    {
      id: 'replay-cpu',
      what: 'CPU of an idempotent replay / of a fresh create',
      value: `${round(share.median)} (${round(share.min)}–${round(share.max)})`,
      goal: '≤0.35',
      reached: share.median <= 0.35,
      detail: { ratio: round(share.median, 3) },
    },
  ];
}

async function cost(stack: Bench['stack'], work: () => Promise<void>): Promise<number> {
  const before = await cpuSeconds(stack);
  await work();
  // The timer that a create leaves behind is part of its cost: wait until it has drained.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return ((await cpuSeconds(stack)) - before) / REQUESTS;
}

async function sendMany(pool: Pool, post: ReturnType<typeof createPost>, key: () => string): Promise<void> {
  let left = REQUESTS;
  const worker = async () => {
    while (left-- > 0) await send(pool, post, key());
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function send(pool: Pool, post: ReturnType<typeof createPost>, key: string): Promise<void> {
  const headers = { ...post.headers, 'idempotency-key': key };
  const answer = await pool.request({ method: 'POST', path: '/v1/group-payments', headers, body: post.body });
  await answer.body.dump();
  if (answer.statusCode !== 201) throw new Error(`create answered ${answer.statusCode}`);
}
