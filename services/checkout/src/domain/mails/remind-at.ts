const HOUR_MS = 3_600_000;
/** A group that ends sooner needs no reminder: its payers still know of it. */
const SHORTEST_MS = HOUR_MS;
/** Long enough for a friend to pay on the same day. */
const LONGEST_LEAD_MS = 24 * HOUR_MS;

/**
 * Returns when the payer of a hold is reminded that shares are missing: a day before the group ends, or a quarter of the
 * remaining time for a shorter one. Undefined when the group ends within an hour of the hold. All in epoch ms.
 */
export function findReminderTime(heldAtMs: number, expiresAtMs: number): number | undefined {
  const remainingMs = expiresAtMs - heldAtMs;
  if (remainingMs < SHORTEST_MS) return undefined;
  return expiresAtMs - Math.min(LONGEST_LEAD_MS, remainingMs / 4);
}
