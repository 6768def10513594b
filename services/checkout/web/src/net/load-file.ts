import { backoffMs } from './backoff.ts';
import { pause } from './live.ts';

/** Is called when a file did not come, with the time until the next try, ms. */
export type OnWait = (ms: number) => void;

/** Fetches a file of ours that the page needs to go on, and tries again while the network is away. */
export async function loadFile<T>(load: () => Promise<T>, onWait?: OnWait): Promise<T> {
  const { signal } = new AbortController();
  for (let failures = 1; ; failures++) {
    try {
      return await load();
    } catch {
      const ms = backoffMs(failures);
      onWait?.(ms);
      await pause(ms, signal);
    }
  }
}
