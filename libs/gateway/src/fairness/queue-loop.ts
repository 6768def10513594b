import type { Loop } from '@gp/service';
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

/**
 * Looks at intervals which queues have due items and starts them: retries, and items of a process that died. Items that
 * this process stored are taken without a look.
 */
export function openQueueLoop<L extends MerchantQueue, A extends Admission, Item>(
  o: QueueRules<L, A, Item> & {
    readonly name: string;
    readonly idleMs: number;
    readonly listDue: () => Promise<readonly L[]>;
  },
): QueueLoop<L> {
  let wake = (): void => undefined;
  const queues = openMerchantQueues(o);
  return {
    name: o.name,
    idleMs: o.idleMs,
    onWake: (listener) => (wake = listener),
    take: (queue) => queues.start(queue, 1),
    wake: () => wake(),
    async runOnce() {
      for (const queue of await o.listDue()) queues.start(queue);
      return 'idle';
    },
    idle: queues.idle,
    close: queues.close,
  };
}
