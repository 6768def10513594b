/** Events and their deliveries are kept this long (Q31), so this far back something can be sent again. */
export const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Returns the error of a period that is to be recovered; undefined when there is none. `now` is real time even
 * where a test clock is ahead: events are kept by real time, and none of them is dated earlier than its arrival.
 */
export function periodFault(
  { since, until }: { readonly since: Date; readonly until: Date },
  now: Date,
): { readonly param: 'since' | 'until'; readonly reason: string } | undefined {
  if (now.getTime() - since.getTime() > KEPT_DAYS * DAY_MS) {
    return { param: 'since', reason: `must not be more than ${KEPT_DAYS} days ago` };
  }
  return until <= since ? { param: 'until', reason: 'must be later than since' } : undefined;
}
