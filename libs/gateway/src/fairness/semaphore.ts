/** Limits how much happens at once (a counting semaphore). */
export type Semaphore = {
  /** Resolves with a permit once one is free, in the order of the calls. The permit is returned by calling it. */
  acquire(): Promise<() => void>;
};

/** Opens a semaphore with that many permits. */
export function openSemaphore(permits: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = permits;
  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return {
    async acquire() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return release;
    },
  };
}
