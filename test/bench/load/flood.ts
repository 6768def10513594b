import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Post } from './wrk.ts';

export type Flood = {
  /** Requests that were sent a second. */
  readonly sentPerSecond: number;
  /** Answers of success a second. */
  readonly goodPerSecond: number;
  readonly refused: number;
  /** From the request to its refusal, 99th percentile, ms; 0 when nothing was refused. */
  readonly refusedP99Ms: number;
  /** Answers that are neither a success nor a refusal with `Retry-After`. */
  readonly other: number;
};

/**
 * Sends at a fixed rate that is more than the subject can take. Unlike the open loop it is not refused when its own
 * schedule slips: it says how many it sent.
 */
export async function flood(post: Post, o: { perSecond: number; seconds: number }): Promise<Flood> {
  const { origin, pathname: path } = new URL(post.url);
  const pool = new Pool(origin, { connections: 256 });
  const total = Math.floor(o.perSecond * o.seconds);
  const refusals: number[] = [];
  let [good, other] = [0, 0];
  const ask = async (): Promise<void> => {
    const at = performance.now();
    try {
      const answer = await pool.request({ method: 'POST', path, headers: post.headers, body: post.body });
      await answer.body.dump();
      if (answer.statusCode === 201) good += 1;
      else if (answer.headers['retry-after'] !== undefined) refusals.push(performance.now() - at);
      else other += 1;
    } catch {
      other += 1;
    }
  };
  const startedAt = performance.now();
  const answers: Promise<void>[] = [];
  for (let index = 0; index < total; index++) {
    const wait = startedAt + (index / o.perSecond) * 1_000 - performance.now();
    if (wait > 1) await delay(wait);
    else if (index % 64 === 0) await delay(0);
    answers.push(ask());
  }
  const sentIn = (performance.now() - startedAt) / 1_000;
  await Promise.all(answers);
  const took = (performance.now() - startedAt) / 1_000;
  await pool.close();
  refusals.sort((a, b) => a - b);
  return {
    sentPerSecond: total / sentIn,
    goodPerSecond: good / took,
    refused: refusals.length,
    refusedP99Ms: refusals[Math.floor(refusals.length * 0.99)] ?? 0,
    other,
  };
}
