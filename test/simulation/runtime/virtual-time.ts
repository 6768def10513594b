import { randomFrom, type Random } from './random.ts';

/** The owner of an event: a simulated process, a client, the world itself. Events of a dead owner do not happen. */
export type Owner = {
  readonly name: string;
  isDead: boolean;
  /** How far the clock of its machine is ahead of the true time, ms. */
  skewMs: number;
};

export type Scheduled = { isCancelled: boolean };
type Event = Scheduled & {
  readonly at: number;
  readonly order: number;
  readonly owner: Owner;
  readonly run: () => void;
};

/** The instant at which every simulated world begins. */
export const EPOCH_MS = Date.UTC(2030, 0, 1);

/**
 * The virtual time of one world: a queue of events, each run when everything that the earlier ones caused is done. Two events
 * of one instant run in the order in which they were scheduled, so a run depends on its seed alone.
 */
export class VirtualTime {
  nowMs = EPOCH_MS;
  owner: Owner;
  /** Events that ran. */
  ran = 0;
  readonly random: Random;
  readonly #heap: Event[] = [];
  #order = 0;

  constructor(seed: number, owner: Owner) {
    this.random = randomFrom(seed);
    this.owner = owner;
  }

  after(ms: number, owner: Owner, run: () => void): Scheduled {
    return this.at(this.nowMs + Math.max(0, ms), owner, run);
  }

  at(at: number, owner: Owner, run: () => void): Scheduled {
    const event = { at: Math.max(at, this.nowMs), order: this.#order++, owner, run, isCancelled: false };
    push(this.#heap, event);
    return event;
  }

  /** Resolves after this time, and never when the owner dies before. */
  pause(ms: number, owner: Owner): Promise<void> {
    return new Promise((resolve) => void this.after(ms, owner, resolve));
  }

  /** Runs events until `isOver` holds or none is left. */
  async run(isOver: () => boolean): Promise<'over' | 'empty'> {
    while (!isOver()) {
      const event = pop(this.#heap);
      if (!event) return 'empty';
      if (event.isCancelled || event.owner.isDead) continue;
      this.nowMs = event.at;
      this.owner = event.owner;
      this.ran += 1;
      event.run();
      await drained();
    }
    return 'over';
  }
}

/** Resolves when every promise that can go on has gone on: ticks run when the queue of microtasks is empty. */
const drained = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

const isBefore = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

function push(heap: Event[], event: Event): void {
  let at = heap.push(event) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] as Event;
    if (!isBefore(event, above)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = event;
}

function pop(heap: Event[]): Event | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (first === undefined || last === undefined || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    const right = heap[child + 1];
    if (right !== undefined && isBefore(right, heap[child] as Event)) child += 1;
    const below = heap[child] as Event;
    if (!isBefore(below, last)) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = last;
  return first;
}

let running: VirtualTime | undefined;

/** Sets the world whose time the replaced clocks and timers of this process show. */
export function useTime(time: VirtualTime | undefined): void {
  running = time;
}

export function currentTime(): VirtualTime {
  if (!running) throw new Error('no simulated world is running');
  return running;
}

/** The time on the clock of the machine of the running process, ms. */
export function processNowMs(): number {
  const time = currentTime();
  return time.nowMs + time.owner.skewMs;
}
