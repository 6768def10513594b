export type BatchOptions<I, O> = {
  /** Most items of one run. */
  readonly maxSize: number;
  /** Most items waiting; one more is refused at once. */
  readonly maxQueued: number;
  /** Runs allowed at the same time; 1 by default. */
  readonly inFlight?: number;
  /** Does the work of one batch and returns one result an item, in the order of the items. */
  readonly run: (items: readonly I[]) => Promise<readonly (O | Error)[]>;
  /** The error of a refused item. */
  readonly overloaded: () => Error;
};

type Waiting<I, O> = {
  readonly item: I;
  readonly resolve: (value: O) => void;
  readonly reject: (reason: unknown) => void;
};

/**
 * Resolves each submitted item with its own result while items share runs. Nothing waits on a timer: an idle
 * batcher starts within the same turn, and items that queue while runs are in flight go together. So a quiet
 * system keeps its latency and a busy one grows its batches. A run that throws rejects its own items only.
 */
export function naturalBatch<I, O>(options: BatchOptions<I, O>): (item: I) => Promise<O> {
  const { maxSize, maxQueued, inFlight = 1, overloaded } = options;
  assertPositive({ maxSize, maxQueued, inFlight });
  const queue: Waiting<I, O>[] = [];
  let running = 0;
  let isScheduled = false;

  // One microtask later, so that submissions of the same turn share the first run.
  function schedule(): void {
    if (isScheduled || running >= inFlight || queue.length === 0) return;
    isScheduled = true;
    queueMicrotask(start);
  }

  function start(): void {
    isScheduled = false;
    while (running < inFlight && queue.length > 0) {
      running += 1;
      void settle(options.run, queue.splice(0, maxSize)).then(() => {
        running -= 1;
        schedule();
      });
    }
  }

  return (item) =>
    new Promise<O>((resolve, reject) => {
      if (queue.length >= maxQueued) return reject(overloaded());
      queue.push({ item, resolve, reject });
      schedule();
    });
}

/** Runs one batch and settles every waiting item with its result; never rejects. */
async function settle<I, O>(run: BatchOptions<I, O>['run'], batch: readonly Waiting<I, O>[]): Promise<void> {
  try {
    const verdicts = await run(batch.map(({ item }) => item));
    if (verdicts.length !== batch.length) {
      throw new Error(`a run of ${batch.length} items answered ${verdicts.length} verdicts`);
    }
    batch.forEach((waiting, index) => {
      const verdict = verdicts[index] as O | Error;
      if (verdict instanceof Error) waiting.reject(verdict);
      else waiting.resolve(verdict);
    });
  } catch (error) {
    for (const waiting of batch) waiting.reject(error);
  }
}

function assertPositive(limits: Record<string, number>): void {
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isInteger(value) || value < 1) throw new RangeError(`${name} must be a positive integer`);
  }
}
