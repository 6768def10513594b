/** Counts a request of this key; returns 0 when it is within the rate, else the seconds to wait. */
export type Pace = (key: string) => number;

type Bucket = { tokens: number; atMs: number };

/**
 * Limits each key to so many requests a second, with a burst. Only the most recent keys are kept; a dropped key
 * starts with a full burst.
 */
export function createPace(o: {
  perSecond: number;
  burst: number;
  mostKeys: number;
  now?: () => number;
}): Pace {
  const now = o.now ?? (() => performance.now());
  const buckets = new Map<string, Bucket>();
  return (key) => {
    const atMs = now();
    const before = buckets.get(key) ?? { tokens: o.burst, atMs };
    const tokens = Math.min(o.burst, before.tokens + ((atMs - before.atMs) / 1_000) * o.perSecond);
    const isWithin = tokens >= 1;
    buckets.delete(key);
    buckets.set(key, { tokens: isWithin ? tokens - 1 : tokens, atMs });
    const [oldest] = buckets.keys();
    if (buckets.size > o.mostKeys && oldest !== undefined) buckets.delete(oldest);
    return isWithin ? 0 : (1 - tokens) / o.perSecond;
  };
}
