/** Remembered at most; beyond, all are forgotten, which only makes pages load more than they need. */
const MOST = 10_000;

/**
 * Remembers since when nothing was heard of each scope. A page whose stream was interrupted learns by it whether it
 * has missed anything: without this, all pages would load everything again after each restart of this process.
 */
export function quietTimes(now: () => number = () => performance.now()) {
  const heardAt = new Map<string, number>();
  /** Nothing is known of the time before. */
  let beginsAt = now();
  const forget = (): void => {
    heardAt.clear();
    beginsAt = now();
  };
  return {
    /** Records that a change of this scope was heard of. */
    note(scope: string): void {
      if (heardAt.size >= MOST && !heardAt.has(scope)) forget();
      heardAt.set(scope, now());
    },
    /** Returns for how long certainly nothing was heard of, ms. */
    measure: (scope: string): number => Math.floor(now() - (heardAt.get(scope) ?? beginsAt)),
    /** Records that changes may have been missed until now. */
    forget,
  };
}
