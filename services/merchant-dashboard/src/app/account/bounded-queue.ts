import { AppError } from '@gp/errors';

/** How many pieces of work run at once, and how many may wait for their turn. */
export type QueueSize = { readonly atOnce: number; readonly waiting: number };

/** Runs work of a client with bounded concurrency. */
export type BoundedQueue = <T>(client: string, work: () => Promise<T>) => Promise<T>;

type Waiter = { readonly go: () => void; readonly refuse: (error: AppError) => void };

/** Seconds after which a refused client may try again. */
const RETRY_AFTER_SECONDS = 2;

const full = () => new AppError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });

/**
 * Returns a queue that serves its clients in turn, and the work of each in the order of arrival. When it is full, it
 * refuses the newest work of the client with the most waiting work, with `service_unavailable` and a pause, so that one
 * client cannot fill the queue.
 */
export function openBoundedQueue({ atOnce, waiting }: QueueSize): BoundedQueue {
  /** The client whose turn is next comes first. */
  const clients = new Map<string, Waiter[]>();
  let running = 0;
  let count = 0;

  /**
   * Makes room for one piece of work of `newcomer` in a full queue: refuses the newest work of the client with the
   * longest list, if that list is longer than the newcomer's would become. Returns whether there is room.
   */
  const makeRoom = (newcomer: string): boolean => {
    if (count < waiting) return true;
    const [longest = []] = [...clients.values()].toSorted((a, b) => b.length - a.length);
    if (longest.length <= (clients.get(newcomer)?.length ?? 0) + 1) return false;
    longest.pop()?.refuse(full());
    count--;
    return true;
  };
  const enter = async (client: string): Promise<void> => {
    if (running < atOnce) {
      running++;
      return;
    }
    if (!makeRoom(client)) throw full();
    count++;
    // The finished work hands its place over, so `running` stays as it is.
    await new Promise<void>((go, refuse) => {
      clients.set(client, [...(clients.get(client) ?? []), { go, refuse }]);
    });
  };
  const leave = (): void => {
    const [next] = clients;
    if (!next) {
      running--;
      return;
    }
    const [client, [first, ...rest]] = next;
    clients.delete(client);
    if (rest.length > 0) clients.set(client, rest);
    count--;
    first?.go();
  };

  return async (client, work) => {
    await enter(client);
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
