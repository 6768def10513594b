/** Runs items with bounded concurrency and a bounded queue; refuses further items at once. */
export type Limiter<T> = {
  /** False when the queue is full: the item was not taken. */
  offer(item: T): boolean;
  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void>;
};

/** `run` must not reject. */
export function limiter<T>(o: {
  concurrency: number;
  maxQueued: number;
  run: (item: T) => Promise<void>;
}): Limiter<T> {
  const queue: T[] = [];
  const waiters: (() => void)[] = [];
  let running = 0;

  const start = (item: T): void => {
    running++;
    void o.run(item).finally(() => {
      running--;
      const next = queue.shift();
      if (next !== undefined) start(next);
      else if (running === 0) for (const done of waiters.splice(0)) done();
    });
  };

  return {
    offer(item) {
      if (running < o.concurrency) start(item);
      else if (queue.length < o.maxQueued) queue.push(item);
      else return false;
      return true;
    },
    idle: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve))),
  };
}
