/** Resolves after `ms`, or at once when `signal` aborts; never rejects. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}

/** Returns a random delay, so that replicas that failed together do not retry together. */
export function between(lowMs: number, highMs: number): number {
  return lowMs + Math.random() * (highMs - lowMs);
}

/** Waits for `promise` but not longer than `ms`; its rejection is swallowed, for closing paths. */
export async function atMost(ms: number, promise: Promise<unknown>): Promise<void> {
  const limit = new AbortController();
  const settled = promise.then(
    () => limit.abort(),
    () => limit.abort(),
  );
  await Promise.race([settled, pause(ms, limit.signal)]);
}
