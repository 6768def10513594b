import { currentTime } from './virtual-time.ts';

/** Stands for `node:timers/promises` in simulated processes. */
export function setTimeout<T>(ms = 0, value?: T, o: { readonly signal?: AbortSignal } = {}): Promise<T> {
  const time = currentTime();
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      scheduled.isCancelled = true;
      reject(new DOMException('The wait was ended', 'AbortError'));
    };
    const scheduled = time.after(ms, time.owner, () => {
      o.signal?.removeEventListener('abort', abort);
      resolve(value as T);
    });
    if (o.signal?.aborted) abort();
    else o.signal?.addEventListener('abort', abort, { once: true });
  });
}
