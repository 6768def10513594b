/** How many requests a process may have under way, how many slow ones beside them, and from when one is slow. */
export type PoolPolicy = { readonly most: number; readonly aside: number; readonly slowMs: number };

/** What is under way: to endpoints that answered last time, to all others, and how many of those are slow by now. */
export type PoolUse = { readonly trusted: number; readonly untrusted: number; readonly slow: number };

/** How many more may be sent in all, and how many of them to endpoints that may not answer. */
export type Room = { readonly all: number; readonly untrusted: number };

/**
 * Shares the pool out so that endpoints which hang cannot keep those waiting that answer. Endpoints that have not
 * proven themselves get half of it. A slow request gives its place back and waits aside, while there is room: endpoints
 * that begin to hang all at once hold the pool for no longer than it takes them to be slow.
 */
export function roomIn({ most, aside }: PoolPolicy, { trusted, untrusted, slow }: PoolUse): Room {
  const counted = untrusted - Math.min(slow, aside);
  const all = Math.max(0, most - trusted - counted);
  return { all, untrusted: Math.max(0, Math.min(all, halfOf(most) - counted)) };
}

/** How much of the pool, or of the half that endpoints without proof get, is taken: at 1 somebody waits for us. */
export function usedOf({ most }: PoolPolicy, { all, untrusted }: Room): number {
  return 1 - Math.min(all / most, untrusted / Math.max(1, halfOf(most)));
}

const halfOf = (most: number): number => Math.floor(most / 2);
