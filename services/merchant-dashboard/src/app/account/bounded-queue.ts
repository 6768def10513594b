import { AppError } from '@gp/errors';

/** How many pieces of work run at once, and how many may wait for their turn. */
export type QueueSize = { readonly atOnce: number; readonly waiting: number };

/** Seconds after which a refused client may try again. */
const RETRY_AFTER_SECONDS = 2;

/**
 * Returns a function that runs work with bounded concurrency, in the order of arrival. It rejects with
 * `service_unavailable` and a pause when the queue is full, without running the work.
 */
export function openBoundedQueue({ atOnce, waiting }: QueueSize): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = [];
  let running = 0;

  const enter = async (): Promise<void> => {
    if (running < atOnce) {
      running++;
      return;
    }
    if (queue.length >= waiting)
      throw new AppError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    // The finished work hands its place over, so `running` stays as it is.
    await new Promise<void>((resolve) => queue.push(resolve));
  };
  const leave = (): void => {
    const next = queue.shift();
    if (next) next();
    else running--;
  };

  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
