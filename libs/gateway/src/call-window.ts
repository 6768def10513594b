const WINDOW_MS = 10_000;
const BUCKET_MS = 1_000;

export type CallCount = { readonly calls: number; readonly failures: number };

/** Calls and failures of the last ten seconds, to the second. */
export type CallWindow = {
  add(isFailure: boolean): void;
  count(): CallCount;
  clear(): void;
};

export function newCallWindow(now: () => number): CallWindow {
  let buckets: { readonly second: number; calls: number; failures: number }[] = [];
  const secondNow = (): number => Math.floor(now() / BUCKET_MS);
  const dropOld = (): void => {
    const oldest = secondNow() - WINDOW_MS / BUCKET_MS;
    if (buckets[0] && buckets[0].second <= oldest) buckets = buckets.filter(({ second }) => second > oldest);
  };
  return {
    add(isFailure) {
      dropOld();
      const second = secondNow();
      let last = buckets.at(-1);
      if (last?.second !== second) buckets.push((last = { second, calls: 0, failures: 0 }));
      last.calls += 1;
      if (isFailure) last.failures += 1;
    },
    count() {
      dropOld();
      return {
        calls: buckets.reduce((sum, { calls }) => sum + calls, 0),
        failures: buckets.reduce((sum, { failures }) => sum + failures, 0),
      };
    },
    clear: () => void (buckets = []),
  };
}

/** More than half of the calls failed. */
export const isFailing = ({ calls, failures }: CallCount): boolean => failures * 2 > calls;
