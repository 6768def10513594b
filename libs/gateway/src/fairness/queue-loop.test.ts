import { expect, it } from '@jest/globals';
import { byMerchant, type MerchantQueue } from './merchant-queues.ts';
import { openQueueLoop, type ListedQueue } from './queue-loop.ts';

const { signal } = new AbortController();
const queue: MerchantQueue = { mode: 'test', merchantId: 'casa-lola' };

/** A loop over one queue whose items, by number of ms until they are due, a test puts in. */
function open() {
  const items: number[] = [];
  const taken: number[] = [];
  const wakes: (number | undefined)[] = [];
  const loop = openQueueLoop<MerchantQueue, { giveBack(): void }, number>({
    name: 'items',
    idleMs: 1_000,
    list: async (): Promise<ListedQueue<MerchantQueue>[]> =>
      items.length === 0 ? [] : [{ queue, isDue: items.some((dueInMs) => dueInMs <= 0) }],
    ...byMerchant,
    permits: 1,
    share: () => 1,
    admit: async () => ({ giveBack: () => undefined }),
    take: async () => (items.some((dueInMs) => dueInMs <= 0) ? items.shift() : undefined),
    work: async (item) => void taken.push(item),
    onError: (error) => {
      throw error;
    },
  });
  loop.onWake?.((withinMs) => void wakes.push(withinMs));
  return { loop, items, taken, wakes, pass: () => loop.runOnce(signal) };
}

it('a loop over queues rests only while no queue has an item, be it due later', async () => {
  const { items, taken, pass, loop } = open();
  expect(await pass()).toBe('empty');
  items.push(60_000);
  expect(await pass()).toBe('idle');
  await loop.idle();
  expect(taken).toEqual([]);
  items.splice(0, 1, 0);
  expect(await pass()).toBe('idle');
  await loop.idle();
  expect([taken, await pass()]).toEqual([[0], 'empty']);
});

it('an item that this process stored is taken at once, and the resting loop looks soon for what becomes of it', async () => {
  const { loop, items, taken, wakes } = open();
  items.push(0);
  loop.take(queue);
  await loop.idle();
  expect(taken).toEqual([0]);
  expect(wakes).toEqual([1_000]);
});
