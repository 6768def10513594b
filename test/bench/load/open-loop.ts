import { createHistogram, performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

export type Latencies = {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly count: number;
  readonly failed: number;
};

/** More than this share of late sends means that the generator, not the subject, was measured. */
const MAX_MISSED = 0.01;
const LATE_MS = 20;
const MAX_FAILED = 0.01;

/**
 * Sends at a fixed rate independent of the answers, and measures each from the moment it should have been sent. Refuses a
 * run whose own schedule slipped, and one of which more than 1 % failed.
 */
export async function openLoop(o: {
  perSecond: number;
  seconds: number;
  send: (index: number) => Promise<boolean>;
}): Promise<Latencies> {
  const histogram = createHistogram({ lowest: 1, highest: 60_000_000, figures: 3 });
  const total = Math.floor(o.perSecond * o.seconds);
  const startedAt = performance.now() + 50;
  const answers: Promise<void>[] = [];
  let failed = 0;
  let missed = 0;
  for (let index = 0; index < total; index++) {
    const dueAt = startedAt + (index / o.perSecond) * 1000;
    const wait = dueAt - performance.now();
    if (wait > 1) await delay(wait);
    if (performance.now() - dueAt > LATE_MS) missed += 1;
    const answer = o.send(index).then(
      (isGood) => void (isGood ? record(histogram, performance.now() - dueAt) : (failed += 1)),
      () => void (failed += 1),
    );
    answers.push(answer);
  }
  await Promise.all(answers);
  if (missed / total > MAX_MISSED) throw new Error(`the generator missed ${missed} of ${total} sends`);
  if (failed / total > MAX_FAILED) throw new Error(`${failed} of ${total} sends failed`);
  return {
    p50Ms: histogram.percentile(50) / 1000,
    p99Ms: histogram.percentile(99) / 1000,
    count: histogram.count,
    failed,
  };
}

function record(histogram: { record(value: number): void }, ms: number): void {
  histogram.record(Math.max(1, Math.round(ms * 1000)));
}
