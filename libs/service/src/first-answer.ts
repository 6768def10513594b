import { setTimeout as delay } from 'node:timers/promises';

/** A server that needs longer for its first answer is away: the service starts without it and is not ready. */
const LONGEST_MS = 10_000;
const AGAIN_MS = 200;

/**
 * Resolves when a server has answered once, or after ten seconds. A process that takes work before its first connection
 * to the database lets callers wait, while the replicas beside it would have answered at once.
 */
export async function awaitFirstAnswer(ping: () => Promise<void>, longestMs = LONGEST_MS): Promise<void> {
  const over = new AbortController();
  const answered = (async () => {
    while (!over.signal.aborted && !(await ping().then(isTrue, isFalse))) await delay(AGAIN_MS);
  })();
  await Promise.race([answered, delay(longestMs, undefined, { signal: over.signal }).catch(() => undefined)]);
  over.abort();
}

const isTrue = (): boolean => true;
const isFalse = (): boolean => false;
