import type { GroupPaymentItem, ListedGroupPayment } from '../../../../src/http/api.ts';
import { formatMoney } from '../../format/money.ts';

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

/** Returns in words what becomes of the holds of a group when its time runs out. */
export function describeExpiry({
  capture_at_expiry: minimum,
}: Pick<ListedGroupPayment, 'capture_at_expiry'>): string {
  if (!minimum) return 'its holds are released';
  const least =
    'minimum_slots' in minimum
      ? `${minimum.minimum_slots} ${minimum.minimum_slots === 1 ? 'slot is' : 'slots are'}`
      : `${formatMoney(minimum.minimum_amount)} is`;
  return `captured if at least ${least} held, released otherwise`;
}
