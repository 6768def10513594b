/** Limits of one process: requests in flight, slow requests beside them, and the age at which a request is slow. */
export type PoolPolicy = { readonly most: number; readonly aside: number; readonly slowMs: number };

/** Requests in flight: to endpoints that answered last time, to all others, and the slow ones among the latter. */
export type PoolUse = { readonly trusted: number; readonly untrusted: number; readonly slow: number };

/** How many more requests may be sent, and how many of them to endpoints that have not answered last time. */
export type Room = { readonly all: number; readonly untrusted: number };

/**
 * Computes the free places of the pool so that endpoints which hang cannot delay endpoints which answer. Untrusted
 * endpoints share half of the pool. A slow request stops counting while `aside` has room, so endpoints that all begin to
 * hang at once hold the pool only until their requests are slow.
 */
export function computeRoom({ most, aside }: PoolPolicy, { trusted, untrusted, slow }: PoolUse): Room {
  const counted = untrusted - Math.min(slow, aside);
  const all = Math.max(0, most - trusted - counted);
  return { all, untrusted: Math.max(0, Math.min(all, halve(most) - counted)) };
}

/** Computes the used share of the pool, or of the untrusted half if that is larger: at 1, deliveries wait for this process. */
export function computeUsage({ most }: PoolPolicy, { all, untrusted }: Room): number {
  return 1 - Math.min(all / most, untrusted / Math.max(1, halve(most)));
}

const halve = (most: number): number => Math.floor(most / 2);
