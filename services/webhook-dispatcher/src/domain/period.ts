/** Events and their deliveries are kept this long (Q31), so this far back something can be sent again. */
export const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * What is wrong with a period that is to be recovered; undefined when nothing is. `now` is the world's, whatever a test
 * clock says: that is how events are kept, and none of them is dated earlier than it came.
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
