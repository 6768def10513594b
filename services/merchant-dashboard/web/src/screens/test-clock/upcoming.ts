import type { GroupPaymentItem } from '../../../../src/http/api.ts';

const MOST = 5;

type Upcoming<G> = { readonly group: G; /** From `now` until just after it. */ readonly seconds: number };

/** Returns the groups that expire next, soonest first, with the time to each expiry. */
export function listUpcoming<G extends Pick<GroupPaymentItem, 'expires_at'>>(
  groups: readonly G[],
  now: Date,
): Upcoming<G>[] {
  return groups
    .map((group) => ({ group, ms: new Date(group.expires_at).getTime() - now.getTime() }))
    .filter(({ ms }) => ms > 0)
    .sort((a, b) => a.ms - b.ms)
    .slice(0, MOST)
    .map(({ group, ms }) => ({ group, seconds: Math.floor(ms / 1_000) + 1 }));
}
