import { setTimeout as delay } from 'node:timers/promises';
import { isUnavailable } from '@gp/pg';

const PAUSE_MS = 1_000;

/**
 * Repeats work while its server is away, as one that starts together with this task is at first. Rejects with the failure
 * of the last try after that time, and at once with any failure that a server reported.
 */
export async function retryWhileAway<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  for (const giveUpAt = performance.now() + seconds * 1_000; ; await delay(PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > giveUpAt) throw error;
    }
  }
}
