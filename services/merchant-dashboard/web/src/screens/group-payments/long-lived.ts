/** A hold on a card lasts seven days; this is the rest of them without the time that captures need. */
const SAFE_MS = (6 * 24 + 18) * 3_600_000;

/**
 * Returns whether a group payment may stay open longer than the hold of an early payer lasts. That payer then has to pay
 * again, or the group cannot be captured (C5). Times are ISO 8601.
 */
export const outlivesHolds = (group: { readonly created_at: string; readonly expires_at: string }): boolean =>
  Date.parse(group.expires_at) - Date.parse(group.created_at) > SAFE_MS;
