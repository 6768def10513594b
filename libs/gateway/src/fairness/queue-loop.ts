import type { Loop } from '@gp/service';
import {
  openMerchantQueues,
  type Admission,
  type MerchantQueue,
  type QueueRules,
} from './merchant-queues.ts';

/** A loop that works on the items of many merchants; close it before what its items use. */
export type QueueLoop = Loop & {
  /** Call it when an item was stored. */
  wake(): void;
  /** Resolves when nothing is in hand. */
  idle(): Promise<void>;
  /** Claims nothing more, and resolves when the items in hand are finished. */
  close(): Promise<void>;
};

/** Looks which queues have due items and starts them; a queue goes on by itself until it has none. */
export function openQueueLoop<L extends MerchantQueue, A extends Admission, Item>(
  o: Omit<QueueRules<L, A, Item>, 'onEmpty'> & {
    readonly name: string;
    readonly idleMs: number;
    readonly listDue: () => Promise<readonly L[]>;
  },
): QueueLoop {
  let wake = (): void => undefined;
  const queues = openMerchantQueues({ ...o, onEmpty: () => wake() });
  return {
    name: o.name,
    idleMs: o.idleMs,
    onWake: (listener) => (wake = listener),
    wake: () => wake(),
    async runOnce() {
      for (const queue of await o.listDue()) queues.start(queue);
      return 'idle';
    },
    idle: queues.idle,
    close: queues.close,
  };
}
