import type { Mode } from '@gp/contracts';
import { openSemaphore, type Semaphore } from './semaphore.ts';

/** Work that belongs to one merchant in one mode. */
export type MerchantQueue = {
  readonly mode: Mode;
  readonly merchantId: string;
};

/** The rules of queues that differ by merchant and mode only: each mode has permits of its own. */
export const byMerchant = {
  toKey: ({ mode, merchantId }: MerchantQueue): string => `${mode}:${merchantId}`,
  toPool: ({ mode }: MerchantQueue): string => mode,
};

/** Permission to begin one item. */
export type Admission = {
  /** Returns the permission when there was no item to use it for. */
  giveBack(): void;
};

export type QueueRules<L extends MerchantQueue, A extends Admission, Item> = {
  /** Identifies a queue. */
  readonly toKey: (queue: L) => string;
  /** Names the pool of permits that a queue draws from. */
  readonly toPool: (queue: L) => string;
  /** Items in hand at once in one pool. */
  readonly permits: number;
  /** Permits of its pool that one queue may hold at once. */
  readonly share: (queue: L) => number;
  /** Resolves when the queue's account may make another call. Waiting takes no permit, and nothing is claimed. */
  readonly admit: (queue: L) => Promise<A>;
  /** Claims the queue's next item; undefined when nothing is due. */
  readonly take: (queue: L) => Promise<Item | undefined>;
  readonly work: (item: Item, admission: A) => Promise<void>;
  /** Called with what `take` or `work` rejected with. */
  readonly onError: (error: unknown) => void;
};

export type MerchantQueues<L extends MerchantQueue> = {
  /**
   * Claims up to `items` of the queue's items, until none is due; a queue that is claiming claims so many more. One
   * claim for one stored item: no statement is sent that finds nothing.
   */
  start(queue: L, items?: number): void;
  /** Resolves when no queue claims items and none is in hand. */
  idle(): Promise<void>;
  /** Claims nothing more, and resolves when the items in hand are finished. */
  close(): Promise<void>;
};

type Running = {
  readonly own: Semaphore;
  isClaiming: boolean;
  inHand: number;
  /** Items still to be claimed. */
  wanted: number;
  /** Nothing was due while items were in hand: one of them may have held up an item that was to be claimed. */
  isHeldUp: boolean;
};

/**
 * Works on the items of many merchants side by side, so that no merchant waits for another's. Each queue asks for one permit
 * at a time and permits are given in turn: a queue with a thousand items gets no more of them than a queue with one.
 */
export function openMerchantQueues<L extends MerchantQueue, A extends Admission, Item>(
  rules: QueueRules<L, A, Item>,
): MerchantQueues<L> {
  const { toKey, onError } = rules;
  const queues = new Map<string, Running>();
  const semaphores = new Map<string, Semaphore>();
  const busy = new Set<Promise<void>>();
  let isClosing = false;

  const findSemaphore = (queue: L): Semaphore => {
    const name = rules.toPool(queue);
    const semaphore = semaphores.get(name) ?? openSemaphore(rules.permits);
    semaphores.set(name, semaphore);
    return semaphore;
  };
  const track = (work: Promise<void>): void => {
    const tracked = work.catch(onError).finally(() => busy.delete(tracked));
    busy.add(tracked);
  };
  const deleteIfIdle = (queue: L, { isClaiming, inHand }: Running): void => {
    if (!isClaiming && inHand === 0) queues.delete(toKey(queue));
  };

  async function workOn(queue: L, running: Running, begin: () => Promise<void>, release: () => void) {
    running.inHand += 1;
    try {
      await begin();
    } finally {
      running.inHand -= 1;
      release();
      const { isHeldUp } = running;
      running.isHeldUp = false;
      if (isHeldUp) start(queue, 1);
      else deleteIfIdle(queue, running);
    }
  }

  /** Claims the next item and begins it; returns false when none is due. */
  async function claimNext(queue: L, running: Running): Promise<boolean> {
    const releaseShare = await running.own.acquire();
    const admission = await rules.admit(queue);
    const releasePermit = await findSemaphore(queue).acquire();
    const release = (): void => {
      releasePermit();
      releaseShare();
    };
    let item: Item | undefined;
    try {
      item = isClosing ? undefined : await rules.take(queue);
    } finally {
      if (item === undefined) {
        admission.giveBack();
        release();
      }
    }
    if (item === undefined) return false;
    const claimed = item;
    track(workOn(queue, running, () => rules.work(claimed, admission), release));
    return true;
  }

  async function claimAll(queue: L, running: Running): Promise<void> {
    running.isClaiming = true;
    try {
      while (running.wanted > 0) {
        // Wishes that come while a claim finds nothing are for later items, so they count after it.
        const { wanted } = running;
        running.wanted = 0;
        if (await claimNext(queue, running)) running.wanted += wanted - 1;
        else running.isHeldUp = running.inHand > 0;
      }
    } finally {
      running.isClaiming = false;
      deleteIfIdle(queue, running);
    }
  }

  function start(queue: L, items = Infinity): void {
    if (isClosing) return;
    const key = toKey(queue);
    const running = queues.get(key) ?? {
      own: openSemaphore(rules.share(queue)),
      isClaiming: false,
      inHand: 0,
      wanted: 0,
      isHeldUp: false,
    };
    queues.set(key, running);
    running.wanted += items;
    if (!running.isClaiming) track(claimAll(queue, running));
  }

  async function idle(): Promise<void> {
    while (busy.size > 0) await Promise.all(busy);
  }

  return {
    start,
    idle,
    close() {
      isClosing = true;
      return idle();
    },
  };
}
