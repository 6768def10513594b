/** When something is loaded again after a change, ms later each; and the least time between two such loads. */
export type Schedule = { readonly afterMs: readonly number[]; readonly paceMs: number };

type Entry = { first: number; last: number; ranAt: number; paceMs: number };

export type Refresher = {
  /** Plans the loads of a query. Changes that come before a load share it. */
  mark(hash: string, schedule: Schedule): void;
  /** Drops all plans; returns whether there were any. */
  clear(): boolean;
};

/**
 * Loads queries again after changes: the first time at once where its schedule says so, then at most once in the pace
 * of the schedule, and once more after the last change. `load` returns false when the query is being loaded: that load
 * may have begun before the change, so that another one follows.
 */
export function openRefresher(load: (hash: string) => boolean): Refresher {
  const entries = new Map<string, Entry>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const arm = (): void => {
    clearTimeout(timer);
    const next = Math.min(...[...entries.values()].map(({ first }) => first));
    timer = Number.isFinite(next) ? setTimeout(run, Math.max(0, next - Date.now())) : undefined;
  };
  const run = (): void => {
    const now = Date.now();
    for (const [hash, entry] of entries) {
      if (entry.first <= now) Object.assign(entry, runOnce(hash, entry, now));
      if (entry.first === Infinity && entry.ranAt + entry.paceMs <= now) entries.delete(hash);
    }
    arm();
  };
  const runOnce = (hash: string, { last, paceMs }: Entry, now: number): Partial<Entry> => {
    const again = now + paceMs;
    if (!load(hash)) return { first: again, last: Math.max(last, again) };
    if (last <= now) return { first: Infinity, last: -Infinity, ranAt: now };
    return { first: Math.max(last, again), last: Math.max(last, again), ranAt: now };
  };

  return {
    mark(hash, { afterMs, paceMs }) {
      const now = Date.now();
      const entry = entries.get(hash) ?? { first: Infinity, last: -Infinity, ranAt: -Infinity, paceMs };
      const planned = afterMs.map((ms) => Math.max(now + ms, entry.ranAt + paceMs));
      const first = Math.min(entry.first, ...planned);
      const last = Math.max(entry.last, ...planned);
      entries.set(hash, { ...entry, first, last, paceMs });
      arm();
    },
    clear() {
      clearTimeout(timer);
      const hadPlans = [...entries.values()].some(({ first }) => first < Infinity);
      entries.clear();
      return hadPlans;
    },
  };
}
