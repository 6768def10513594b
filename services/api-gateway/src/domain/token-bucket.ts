/** How often something may be done: `burst` at once, then `perSecond`. */
export type Rate = { readonly perSecond: number; readonly burst: number };

/** The tokens left at an instant of a monotonic clock. Below zero when replicas together took too many. */
export type Bucket = { readonly tokens: number; readonly atMs: number };

/** Returns a full bucket. */
export function fullBucket({ burst }: Rate, nowMs: number): Bucket {
  return { tokens: burst, atMs: nowMs };
}

/** Returns the bucket later: filled at its rate, up to its burst. A clock that stands still adds nothing. */
export function refilled(bucket: Bucket, rate: Rate, nowMs: number): Bucket {
  const addedTokens = (Math.max(0, nowMs - bucket.atMs) / 1_000) * rate.perSecond;
  return { tokens: Math.min(rate.burst, bucket.tokens + addedTokens), atMs: nowMs };
}

/** Returns the bucket after `count` tokens were taken, whether it had them or not. */
export function drawn(bucket: Bucket, count: number): Bucket {
  return { ...bucket, tokens: bucket.tokens - count };
}

/** Returns the seconds until there are `tokens`; 0 when there are. */
export function secondsUntil(bucket: Bucket, rate: Rate, tokens: number): number {
  return Math.max(0, tokens - bucket.tokens) / rate.perSecond;
}
