import type { Loop, Wake } from '@gp/service';
import {
  openMerchantQueues,
  type Admission,
  type MerchantQueue,
  type QueueRules,
} from './merchant-queues.ts';

/** A loop that works on the items of many merchants; close it before what its items use. */
export type QueueLoop<L extends MerchantQueue> = Loop & {
  /** Call it when an item of this queue was stored: it is claimed at once, without a look at the other queues. */
  take(queue: L): void;
  /** Looks at all queues at once. */
  wake(): void;
  /** Resolves when nothing is in hand. */
  idle(): Promise<void>;
  /** Claims nothing more, and resolves when the items in hand are finished. */
  close(): Promise<void>;
};

/** A queue with items, and whether one of them is due. */
export type ListedQueue<L> = { readonly queue: L; readonly isDue: boolean };

/**
 * Looks at intervals which queues have due items and starts them: retries, and items of a process that died. Items that
 * this process stored are taken without a look. While no queue has an item, the loop rests; an item that is taken makes it
 * look again within `idleMs`, since that item may have to be tried again.
 */
export function openQueueLoop<L extends MerchantQueue, A extends Admission, Item>(
  o: QueueRules<L, A, Item> & {
    readonly name: string;
    readonly idleMs: number;
    readonly list: () => Promise<readonly ListedQueue<L>[]>;
  },
): QueueLoop<L> {
  let wake: Wake = () => undefined;
  const queues = openMerchantQueues(o);
  return {
    name: o.name,
    idleMs: o.idleMs,
    onWake: (listener) => (wake = listener),
    take(queue) {
      queues.start(queue, 1);
      wake(o.idleMs);
    },
    wake: () => wake(),
    async runOnce() {
      const listed = await o.list();
      for (const { queue, isDue } of listed) if (isDue) queues.start(queue);
      return listed.length === 0 ? 'empty' : 'idle';
    },
    idle: queues.idle,
    close: queues.close,
  };
}
