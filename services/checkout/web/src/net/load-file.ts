import { backoffMs } from './backoff.ts';
import { pause } from './live.ts';

/** Fetches a file of ours that the page needs to go on, and tries again while the network is away. */
export async function loadFile<T>(load: () => Promise<T>): Promise<T> {
  const { signal } = new AbortController();
  for (let failures = 1; ; failures++) {
    try {
      return await load();
    } catch {
      await pause(backoffMs(failures), signal);
    }
  }
}
