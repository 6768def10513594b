/** A card is held for seven days; this is what remains of them after the time captures need. */
const SAFE_MS = (6 * 24 + 18) * 3_600_000;

/**
 * Whether a group payment may stay open longer than the hold of an early payer lasts, who then has to pay again or keeps
 * everybody from being charged (C5). Times are ISO 8601.
 */
export const outlivesHolds = (group: { readonly created_at: string; readonly expires_at: string }): boolean =>
  Date.parse(group.expires_at) - Date.parse(group.created_at) > SAFE_MS;
