import { setTimeout as delay } from 'node:timers/promises';

/**
 * Does work at a fixed rate, independent of the answers, and waits for all of it; rejects when one fails. For measures of
 * cost: unlike the open loop it does not judge its own schedule, since only the number counts.
 */
export async function pace(o: {
  count: number;
  perSecond: number;
  work: (index: number) => Promise<unknown>;
}): Promise<void> {
  const startedAt = performance.now();
  const all: Promise<unknown>[] = [];
  for (let index = 0; index < o.count; index++) {
    const wait = startedAt + (index / o.perSecond) * 1_000 - performance.now();
    if (wait > 1) await delay(wait);
    const one = o.work(index);
    // Reported below; until then it must not count as unhandled.
    one.catch(() => undefined);
    all.push(one);
  }
  await Promise.all(all);
}
